//! What `check --format sarif` writes, held against the standard.

use std::path::Path;

use crate::common::{run, word};

/// The parts of SARIF 2.1.0 (OASIS, 2020) that the program writes, as that standard restricts them.
#[test]
fn sarif_is_as_the_standard_says() {
    let schema = serde_json::json!({
        "type": "object",
        "required": ["version", "runs"],
        "additionalProperties": false,
        "properties": {
            "$schema": { "type": "string", "format": "uri" },
            "version": { "enum": ["2.1.0"] },
            "runs": { "type": "array", "items": { "$ref": "#/definitions/run" } },
        },
        "definitions": {
            "message": {
                "type": "object", "required": ["text"], "additionalProperties": false,
                "properties": { "text": { "type": "string" } },
            },
            "run": {
                "type": "object", "required": ["tool"], "additionalProperties": false,
                "properties": {
                    "tool": {
                        "type": "object", "required": ["driver"], "additionalProperties": false,
                        "properties": { "driver": {
                            "type": "object", "required": ["name"], "additionalProperties": false,
                            "properties": {
                                "name": { "type": "string" },
                                "version": { "type": "string" },
                                "rules": {
                                    "type": "array", "uniqueItems": true,
                                    "items": { "$ref": "#/definitions/rule" },
                                },
                            },
                        } },
                    },
                    "columnKind": { "enum": ["utf16CodeUnits", "unicodeCodePoints"] },
                    "results": { "type": "array", "items": { "$ref": "#/definitions/result" } },
                },
            },
            "rule": {
                "type": "object", "required": ["id"], "additionalProperties": false,
                "properties": {
                    "id": { "type": "string" },
                    "shortDescription": { "$ref": "#/definitions/message" },
                    "fullDescription": { "$ref": "#/definitions/message" },
                },
            },
            "artifact": {
                "type": "object", "additionalProperties": false,
                "properties": { "uri": {
                    "type": "string", "pattern": "^([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$",
                } },
            },
            "region": {
                "type": "object", "additionalProperties": false,
                "patternProperties": {
                    "^(start|end)(Line|Column)$": { "type": "integer", "minimum": 1 },
                },
            },
            "fix": {
                "type": "object", "required": ["artifactChanges"], "additionalProperties": false,
                "properties": {
                    "description": { "$ref": "#/definitions/message" },
                    "artifactChanges": { "type": "array", "minItems": 1, "items": {
                        "type": "object", "required": ["artifactLocation", "replacements"],
                        "additionalProperties": false,
                        "properties": {
                            "artifactLocation": { "$ref": "#/definitions/artifact" },
                            "replacements": { "type": "array", "minItems": 1, "items": {
                                "type": "object", "required": ["deletedRegion"],
                                "additionalProperties": false,
                                "properties": {
                                    "deletedRegion": { "$ref": "#/definitions/region" },
                                    "insertedContent": { "$ref": "#/definitions/message" },
                                },
                            } },
                        },
                    } },
                },
            },
            "result": {
                "type": "object", "required": ["message"], "additionalProperties": false,
                "properties": {
                    "ruleId": { "type": "string" },
                    "level": { "enum": ["none", "note", "warning", "error"] },
                    "message": { "$ref": "#/definitions/message" },
                    "fixes": { "type": "array", "items": { "$ref": "#/definitions/fix" } },
                    "locations": { "type": "array", "items": {
                        "type": "object", "additionalProperties": false,
                        "properties": { "physicalLocation": {
                            "type": "object", "required": ["artifactLocation"],
                            "additionalProperties": false,
                            "properties": {
                                "artifactLocation": { "$ref": "#/definitions/artifact" },
                                "region": { "$ref": "#/definitions/region" },
                            },
                        } },
                    } },
                },
            },
        },
    });
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let broken = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let sarif = run(&["check", "--format", "sarif", word(&broken)]).stdout;
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    let errors: Vec<String> =
        validator.iter_errors(&sarif).map(|e| format!("{e} at {}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert!(results.len() > 50);
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].to_string();
    for result in results {
        assert!(rules.contains(&result["ruleId"].to_string()), "{result}");
    }
}

#[test]
fn columns_are_characters() {
    let folder = crate::common::temporary("sarif-columns");
    let file = folder.join("a.des");
    let text = "NAME: a\nDEPTH: D\nMONS: rat name:\u{1d11e}\u{e9} / bullforg\nMAP\n1\nENDMAP\n";
    std::fs::write(&file, text).expect("a file");
    let sarif = run(&["check", "--standalone", "--format", "sarif", word(&file)]).stdout;
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(sarif["runs"][0]["columnKind"], "unicodeCodePoints");
    let region = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startColumn"], &region["endColumn"]), (&21.into(), &29.into()), "{sarif}");
}
