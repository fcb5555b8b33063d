// The program's command line as the settings have it.

function commandOf(settings, subcommand, ...more) {
  const args = [subcommand, ...more];
  for (const option of ["data", "rules"]) {
    const value = settings.get(option);
    if (value) args.push(`--${option}`, value);
  }
  return [settings.get("path") || "vaultwright", args];
}

module.exports = { commandOf };
