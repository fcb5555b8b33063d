//! The conversation with an editor.

use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use lsp_server::{
    Connection, ErrorCode, ExtractError, Message, Notification, Request, RequestId, Response,
};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument,
    LogMessage, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentSymbolRequest, FoldingRangeRequest,
    Formatting, GotoDefinition, HoverRequest, InlayHintRequest, PrepareRenameRequest,
    RangeFormatting, References, Rename, Request as _, SemanticTokensFullRequest, Shutdown,
    WorkspaceSymbolRequest,
};
use lsp_types::{
    CodeLensOptions, CompletionList, CompletionOptions, CompletionResponse, Diagnostic,
    GotoDefinitionResponse, HoverProviderCapability, InitializeParams, LogMessageParams,
    MessageType, NumberOrString, OneOf, PositionEncodingKind, PrepareRenameResponse,
    PublishDiagnosticsParams, RenameOptions, SemanticTokensFullOptions, SemanticTokensLegend,
    SemanticTokensOptions, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    Uri, WorkspaceSymbolResponse,
};
use serde_json::{Value, json};
use vaultwright::read_source;
use vaultwright::syntax::Source;
use vaultwright_authoring::{Desk, DoorError, Need, PackDoor, Unit};

use crate::documents::{Documents, Open};
use crate::uri::path_of;
use crate::{assistance, convert, navigation, problems, scripts, text, wire};

/// For how long nothing has to come before findings are told.
const QUIET: Duration = Duration::from_millis(15);

/// Speaks with an editor on standard input and output, until it says goodbye or is gone.
///
/// # Errors
///
/// If the editor begins with something else than a greeting, or the way to it breaks.
pub fn serve(door: &mut dyn PackDoor) -> Result<(), DoorError> {
    let (connection, threads) = wire::connect();
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let unit = unit_of(&params);
    let greeting = json!({
        "capabilities": capabilities(unit),
        "serverInfo": { "name": "vaultwright", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, greeting)?;
    let folders = folders_of(&params);
    let mut server = Server {
        door,
        connection: &connection,
        unit,
        folders,
        open: Documents::default(),
        desk: None,
    };
    let said_goodbye = server.converse()?;
    drop(connection);
    if said_goodbye {
        threads.join()?;
    }
    Ok(())
}

struct Server<'s> {
    door: &'s mut dyn PackDoor,
    connection: &'s Connection,
    unit: Unit,
    /// The folders that the editor works in.
    folders: Vec<PathBuf>,
    open: Documents,
    desk: Option<Desk>,
}

/// Why a request has no answer.
pub(crate) struct Refusal {
    code: ErrorCode,
    message: String,
}

impl<E: ToString> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        Refusal { code: ErrorCode::RequestFailed, message: error.to_string() }
    }
}

impl Server<'_> {
    /// Answers until the editor says goodbye (true) or is gone (false).
    fn converse(&mut self) -> Result<bool, DoorError> {
        let mut queue: VecDeque<Message> = VecDeque::new();
        loop {
            if queue.is_empty() {
                let next = match self.open.values().any(|open| open.is_new) {
                    true => match self.connection.receiver.recv_timeout(QUIET) {
                        Ok(message) => Some(message),
                        Err(error) if error.is_timeout() => None,
                        Err(_) => return Ok(false),
                    },
                    false => match self.connection.receiver.recv() {
                        Ok(message) => Some(message),
                        Err(_) => return Ok(false),
                    },
                };
                match next {
                    Some(message) => queue.push_back(message),
                    None => self.tell_findings()?,
                }
            }
            queue.extend(self.connection.receiver.try_iter());
            drop_cancelled(&mut queue, self.connection)?;
            match queue.pop_front() {
                Some(Message::Request(request)) => {
                    if request.method == Shutdown::METHOD && queue.iter().any(wire::is_exit) {
                        // It did not wait for an answer before it left.
                        let answer = Response::new_ok(request.id, ());
                        self.connection.sender.send(Message::Response(answer))?;
                        return Ok(true);
                    }
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(true);
                    }
                    let response = self.response(request);
                    self.connection.sender.send(Message::Response(response))?;
                }
                Some(Message::Notification(notification)) => {
                    // What an editor says wrongly is passed over: there is nobody to tell.
                    let _ = self.note(notification);
                }
                Some(Message::Response(_)) | None => {}
            }
        }
    }

    fn response(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        match self.answer(request) {
            Ok(value) => Response::new_ok(id, value),
            Err(refusal) => Response::new_err(id, refusal.code as i32, refusal.message),
        }
    }

    fn answer(&mut self, request: Request) -> Result<Value, Refusal> {
        let method = request.method.clone();
        let params = request.params;
        if let Some(open) = self.of_no_vaults(&params) {
            return match open.is_lair_script() {
                true => scripts::answer(open, &method, &params),
                false => Ok(Value::Null),
            };
        }
        match method.as_str() {
            SemanticTokensFullRequest::METHOD => {
                self.on_text(params, |open| Ok(serde_json::to_value(text::semantic_tokens(open))?))
            }
            DocumentSymbolRequest::METHOD => {
                self.on_text(params, |open| Ok(serde_json::to_value(text::symbols(open))?))
            }
            FoldingRangeRequest::METHOD => {
                self.on_text(params, |open| Ok(serde_json::to_value(text::folds(open))?))
            }
            Formatting::METHOD => {
                self.on_text(params, |open| Ok(serde_json::to_value(text::formatted(open, None))?))
            }
            RangeFormatting::METHOD | InlayHintRequest::METHOD => {
                let range = serde_json::from_value(params["range"].clone())?;
                self.on_text(params, |open| match method.as_str() {
                    InlayHintRequest::METHOD => {
                        Ok(serde_json::to_value(assistance::hints(open, range))?)
                    }
                    _ => Ok(serde_json::to_value(text::formatted(open, Some(range)))?),
                })
            }
            WorkspaceSymbolRequest::METHOD => {
                let query = params["query"].as_str().unwrap_or_default().to_owned();
                let unit = self.unit;
                let found = navigation::symbols(&query, self.desk()?.engine(), unit);
                Ok(serde_json::to_value(WorkspaceSymbolResponse::Nested(found))?)
            }
            Completion::METHOD
            | HoverRequest::METHOD
            | GotoDefinition::METHOD
            | References::METHOD
            | PrepareRenameRequest::METHOD
            | Rename::METHOD => self.at_position(&method, &params),
            CodeLensRequest::METHOD => self.with_pack(&params, |open, desk, _| {
                Ok(serde_json::to_value(assistance::lenses(open, desk.engine()))?)
            }),
            CodeActionRequest::METHOD => {
                let range = serde_json::from_value(params["range"].clone())?;
                self.with_pack(&params, |open, desk, _| {
                    let found = desk.findings(&open.source().name);
                    let actions = problems::actions(&found, range, &open.places, &open.uri);
                    Ok(serde_json::to_value(actions)?)
                })
            }
            _ => Err(Refusal {
                code: ErrorCode::MethodNotFound,
                message: format!("{method} is not known here"),
            }),
        }
    }

    /// Returns the open file that a request is about, if it holds no vaults.
    fn of_no_vaults(&self, params: &Value) -> Option<&Open> {
        let uri = uri_in(params).ok()?;
        self.open.get(&uri).filter(|open| !open.is_vaults())
    }

    /// Answers a request about a position.
    fn at_position(&mut self, method: &str, params: &Value) -> Result<Value, Refusal> {
        let at = serde_json::from_value(params["position"].clone())?;
        let method = method.to_owned();
        self.with_pack(params, |open, desk, unit| {
            let engine = desk.engine();
            Ok(match method.as_str() {
                Completion::METHOD => {
                    let items = assistance::completions(open, at, engine);
                    let list = CompletionList { is_incomplete: false, items };
                    serde_json::to_value(CompletionResponse::List(list))?
                }
                HoverRequest::METHOD => {
                    serde_json::to_value(assistance::hover_at(open, at, engine))?
                }
                GotoDefinition::METHOD => {
                    let found = navigation::definitions_of_name(open, at, engine, unit);
                    serde_json::to_value(GotoDefinitionResponse::Array(found))?
                }
                References::METHOD => {
                    let with_definition =
                        params["context"]["includeDeclaration"].as_bool().unwrap_or(true);
                    let mut found = navigation::places_of_name(open, at, engine, unit);
                    if !with_definition {
                        let given = navigation::definitions_of_name(open, at, engine, unit);
                        found.retain(|place| !given.contains(place));
                    }
                    serde_json::to_value(found)?
                }
                PrepareRenameRequest::METHOD => {
                    let name = navigation::renamable(open, at, engine)?;
                    let range = name.map(|name| convert::range(&open.places, &name.span));
                    serde_json::to_value(range.map(PrepareRenameResponse::Range))?
                }
                _ => {
                    let new_name = params["newName"].as_str().unwrap_or_default();
                    let edit = navigation::rename(open, at, engine, unit, new_name)?;
                    serde_json::to_value(edit)?
                }
            })
        })
    }

    fn on_text(
        &mut self,
        params: Value,
        answer: impl FnOnce(&Open) -> Result<Value, Refusal>,
    ) -> Result<Value, Refusal> {
        answer(self.open.get(&uri_in(&params)?).ok_or("the file is not open")?)
    }

    /// Answers with the pack, in which all open files are as the editor has them.
    fn with_pack(
        &mut self,
        params: &Value,
        answer: impl FnOnce(&Open, &mut Desk, Unit) -> Result<Value, Refusal>,
    ) -> Result<Value, Refusal> {
        let uri = uri_in(params)?;
        self.take_up(&uri)?;
        let unit = self.unit;
        let open = self.open.get(&uri).ok_or("the file is not open")?;
        let desk = self.desk.as_mut().ok_or("no pack is open")?;
        answer(open, desk, unit)
    }

    /// Returns the pack, opened when it is first needed.
    fn desk(&mut self) -> Result<&mut Desk, Refusal> {
        if self.desk.is_none() {
            let files = self.open.values().filter_map(|open| open.path.clone());
            let mut opened: Vec<PathBuf> = files.filter(|path| path.exists()).collect();
            if opened.is_empty() {
                opened.clone_from(&self.folders);
            }
            self.door.settle(&opened)?;
            self.desk = Some(Desk::open(self.door)?);
        }
        self.desk.as_mut().ok_or_else(|| "no pack is open".into())
    }

    /// Puts what the editor has of a file into the pack, if it is not there yet.
    fn take_up(&mut self, uri: &Uri) -> Result<(), Refusal> {
        self.desk()?;
        let (Some(open), Some(desk)) = (self.open.get_mut(uri), &mut self.desk) else {
            return Ok(());
        };
        let is_there = open.name.is_some() && !open.is_changed();
        if !is_there && open.is_vaults() {
            let name = open.path.as_deref().map(|path| desk.name_of(path));
            open.name = Some(name.unwrap_or_else(|| uri.as_str().into()));
            desk.take_up(self.door, open.source(), Need::File)?;
            open.note_taken_up();
        }
        Ok(())
    }

    /// Tells the findings of the files whose texts are new.
    fn tell_findings(&mut self) -> Result<(), DoorError> {
        let new: Vec<Uri> =
            self.open.values().filter(|open| open.is_new).map(|open| open.uri.clone()).collect();
        for uri in new {
            if let Some(open) = self.open.get(&uri).filter(|open| open.is_lair_script()) {
                let told = scripts::diagnostics(open, self.open.values());
                self.publish(&uri, told)?;
                continue;
            }
            let taken = self.take_up(&uri);
            if let Err(refusal) = &taken {
                self.log(&refusal.message)?;
                // What keeps the server from looking at the file is all that is found in it.
                if self.open.get(&uri).is_some_and(Open::is_vaults) {
                    self.publish(&uri, vec![problems::unusable(&refusal.message)])?;
                }
            }
            let (Some(open), desk) = (self.open.get_mut(&uri), &mut self.desk) else { continue };
            open.is_new = false;
            let Some(desk) = desk.as_mut().filter(|_| taken.is_ok() && open.is_vaults()) else {
                continue;
            };
            let found = desk.findings(&open.source().name);
            let diagnostics = problems::diagnostics(&found, &open.places);
            self.publish(&uri, diagnostics)?;
        }
        Ok(())
    }

    /// Tells the findings of an open file, whose text is not new after that.
    fn publish(&mut self, uri: &Uri, diagnostics: Vec<Diagnostic>) -> Result<(), DoorError> {
        let Some(open) = self.open.get_mut(uri) else { return Ok(()) };
        open.is_new = false;
        let version = Some(open.version);
        let uri = uri.clone();
        self.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version })
    }

    fn note(&mut self, notification: Notification) -> Result<(), Refusal> {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let file = taken::<DidOpenTextDocument>(notification)?.text_document;
                let open = Open::new(file.uri.clone(), file.text, file.version, self.unit);
                self.open.insert(file.uri, open);
            }
            DidChangeTextDocument::METHOD => {
                let change = taken::<DidChangeTextDocument>(notification)?;
                let file = change.text_document;
                if let Some(open) = self.open.get_mut(&file.uri) {
                    open.change(change.content_changes, file.version, self.unit);
                    let folder = open.script_folder();
                    // Scripts of a folder call each other.
                    for beside in self.open.values_mut() {
                        beside.is_new |= folder.is_some() && beside.script_folder() == folder;
                    }
                }
            }
            DidCloseTextDocument::METHOD => {
                let uri = taken::<DidCloseTextDocument>(notification)?.text_document.uri;
                let open = self.open.remove(&uri);
                if let (Some(Open { name: Some(name), path, .. }), Some(desk)) =
                    (open, &mut self.desk)
                {
                    desk.put_back(
                        &name,
                        path.and_then(|path| read_source(&path).ok())
                            .map(|source| Source { name: name.clone(), ..source }),
                    );
                }
                let none = PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None };
                self.notify::<PublishDiagnostics>(none)?;
            }
            DidSaveTextDocument::METHOD => {
                // Other open files may hold maps of this one.
                for open in self.open.values_mut() {
                    open.is_new = true;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn log(&self, message: &str) -> Result<(), DoorError> {
        let message = message.to_owned();
        self.notify::<LogMessage>(LogMessageParams { typ: MessageType::ERROR, message })
    }

    fn notify<N: lsp_types::notification::Notification>(
        &self,
        params: N::Params,
    ) -> Result<(), DoorError> {
        let notification = Notification::new(N::METHOD.to_owned(), params);
        Ok(self.connection.sender.send(Message::Notification(notification))?)
    }
}

/// Takes requests out of the queue that the editor has taken back.
fn drop_cancelled(queue: &mut VecDeque<Message>, connection: &Connection) -> Result<(), DoorError> {
    let id_of = |message: &Message| match message {
        Message::Notification(note) if note.method == Cancel::METHOD => {
            match serde_json::from_value(note.params["id"].clone()).ok()? {
                NumberOrString::Number(number) => Some(RequestId::from(number)),
                NumberOrString::String(text) => Some(RequestId::from(text)),
            }
        }
        _ => None,
    };
    let cancelled: HashSet<RequestId> = queue.iter().filter_map(id_of).collect();
    if cancelled.is_empty() {
        return Ok(());
    }
    for message in std::mem::take(queue) {
        match message {
            Message::Request(request) if cancelled.contains(&request.id) => {
                let code = ErrorCode::RequestCanceled as i32;
                let response = Response::new_err(request.id, code, "taken back".to_owned());
                connection.sender.send(Message::Response(response))?;
            }
            message => queue.push_back(message),
        }
    }
    Ok(())
}

fn taken<N: lsp_types::notification::Notification>(
    notification: Notification,
) -> Result<N::Params, ExtractError<Notification>> {
    notification.extract(N::METHOD)
}

fn uri_in(params: &Value) -> Result<Uri, serde_json::Error> {
    serde_json::from_value(params["textDocument"]["uri"].clone())
}

/// Columns in bytes where the editor knows them, else in its own units.
fn unit_of(params: &InitializeParams) -> Unit {
    let general = params.capabilities.general.as_ref();
    let known = general.and_then(|general| general.position_encodings.as_ref());
    match known.is_some_and(|known| known.contains(&PositionEncodingKind::UTF8)) {
        true => Unit::Utf8,
        false => Unit::Utf16,
    }
}

#[allow(deprecated)] // editors still send the root by itself
fn folders_of(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
    folders.chain(&params.root_uri).filter_map(path_of).collect()
}

fn capabilities(unit: Unit) -> ServerCapabilities {
    let characters = [" ", ".", "/", "=", ":", ",", ";", "|", "\""].map(str::to_owned);
    ServerCapabilities {
        position_encoding: Some(match unit {
            Unit::Utf8 => PositionEncodingKind::UTF8,
            Unit::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Kind(
            TextDocumentSyncKind::INCREMENTAL,
        )),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(characters.to_vec()),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(true.into()),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(true.into()),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: lsp_types::WorkDoneProgressOptions::default(),
        })),
        inlay_hint_provider: Some(OneOf::Left(true)),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: text::token_types(),
                    token_modifiers: Vec::new(),
                },
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        ..ServerCapabilities::default()
    }
}
