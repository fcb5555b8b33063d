//! The conversation with an editor.

use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::time::Duration;

use lsp_server::{
    Connection, ErrorCode, ExtractError, Message, Notification, Request, RequestId, Response,
};
use lsp_types::notification::{
    Cancel, DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, LogMessage, Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentSymbolRequest, FoldingRangeRequest,
    Formatting, GotoDefinition, HoverRequest, InlayHintRequest, PrepareRenameRequest,
    RangeFormatting, References, RegisterCapability, Rename, Request as _,
    SemanticTokensFullRequest, Shutdown, WorkspaceSymbolRequest,
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
use vaultwright_authoring::{EditedPack, Need, OpenError, PackOpener, Unit, is_lair_script};

use crate::documents::{Documents, Open};
use crate::loaded_packs::LoadedPacks;
use crate::uri::path_of;
use crate::{assistance, convert, navigation, problems, scripts, text, wire};

/// For how long nothing has to come before findings are told.
const QUIET: Duration = Duration::from_millis(15);
/// For how long, before those of the other open files are looked at again.
const CALM: Duration = Duration::from_millis(300);
/// The files that packs are made of.
const WATCHED: [&str; 3] = ["**/*.des", "**/*.lua", "**/pack.json"];

/// Speaks with an editor on standard input and output, until it says goodbye or is gone. Returns
/// false if it leaves without a goodbye.
///
/// # Errors
///
/// If the editor begins with something else than a greeting, or the way to it breaks.
pub fn serve(opener: &mut dyn PackOpener) -> Result<bool, OpenError> {
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
    if can_watch(&params) {
        connection.sender.send(Message::Request(watching()))?;
    }
    let mut server = Server {
        packs: LoadedPacks::new(opener),
        connection: &connection,
        unit,
        folders,
        open: Documents::default(),
        is_shut: false,
    };
    let end = server.converse()?;
    drop(server);
    drop(connection);
    if end != End::Gone {
        threads.join()?;
    }
    Ok(end != End::WithoutGoodbye)
}

/// How a conversation ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Goodbye,
    WithoutGoodbye,
    /// The editor is there no more.
    Gone,
}

struct Server<'s> {
    packs: LoadedPacks<'s>,
    connection: &'s Connection,
    unit: Unit,
    /// The folders that the editor works in.
    folders: Vec<PathBuf>,
    open: Documents,
    /// Whether the editor has said goodbye.
    is_shut: bool,
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

/// The editor is there no more.
struct Disconnected;

impl Server<'_> {
    /// Answers until the editor leaves.
    fn converse(&mut self) -> Result<End, OpenError> {
        let mut queue: VecDeque<Message> = VecDeque::new();
        loop {
            if queue.is_empty() {
                match self.next_message() {
                    Ok(Some(message)) => queue.push_back(message),
                    Ok(None) => self.tell_findings()?,
                    Err(Disconnected) => return Ok(End::Gone),
                }
            }
            queue.extend(self.connection.receiver.try_iter());
            drop_cancelled(&mut queue, self.connection)?;
            match queue.pop_front() {
                Some(message) if wire::is_exit(&message) => {
                    return Ok(if self.is_shut { End::Goodbye } else { End::WithoutGoodbye });
                }
                Some(Message::Request(request)) => {
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

    /// Waits for the next message; returns `None` if meanwhile there is something to be told.
    fn next_message(&self) -> Result<Option<Message>, Disconnected> {
        let any = |is: fn(&Open) -> bool| self.open.values().any(is);
        let wait = match (any(|open| open.is_new), any(|open| open.is_stale)) {
            (true, _) => QUIET,
            (false, true) => CALM,
            (false, false) => {
                return self.connection.receiver.recv().map(Some).map_err(|_| Disconnected);
            }
        };
        match self.connection.receiver.recv_timeout(wait) {
            Ok(message) => Ok(Some(message)),
            Err(error) if error.is_timeout() => Ok(None),
            Err(_) => Err(Disconnected),
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
        if self.is_shut {
            let message = "the server is shut down".to_owned();
            return Err(Refusal { code: ErrorCode::InvalidRequest, message });
        }
        if method == Shutdown::METHOD {
            self.is_shut = true;
            return Ok(Value::Null);
        }
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
                let (loaded, _) = self.packs.of_files(self.first_at())?;
                let found = navigation::symbols(&query, loaded.pack.engine(), unit);
                Ok(serde_json::to_value(WorkspaceSymbolResponse::Nested(found))?)
            }
            Completion::METHOD
            | HoverRequest::METHOD
            | GotoDefinition::METHOD
            | References::METHOD
            | PrepareRenameRequest::METHOD
            | Rename::METHOD => self.at_position(&method, &params),
            CodeLensRequest::METHOD => self.with_pack(&params, |open, pack, _| {
                Ok(serde_json::to_value(assistance::lenses(open, pack.engine()))?)
            }),
            CodeActionRequest::METHOD => {
                let range = serde_json::from_value(params["range"].clone())?;
                self.with_pack(&params, |open, pack, _| {
                    let found = pack.findings(&open.source().name);
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
        self.with_pack(params, |open, pack, unit| {
            let engine = pack.engine();
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
        answer: impl FnOnce(&Open, &mut EditedPack, Unit) -> Result<Value, Refusal>,
    ) -> Result<Value, Refusal> {
        let uri = uri_in(params)?;
        self.take_up_all(&uri)?;
        let unit = self.unit;
        let open = self.open.get(&uri).ok_or("the file is not open")?;
        let loaded = self.packs.latest().ok_or("no pack is open")?;
        answer(open, &mut loaded.pack, unit)
    }

    /// Returns the files around which the pack is looked for if nobody says a file.
    fn first_at(&self) -> Vec<PathBuf> {
        let first =
            self.open.values().filter(|open| open.is_vaults()).min_by_key(|open| &open.path);
        first.map_or_else(|| self.folders.clone(), |open| open.at(&self.folders))
    }

    /// Puts what the editor has of all files into their packs, and has that of one ready.
    fn take_up_all(&mut self, uri: &Uri) -> Result<(), Refusal> {
        let is_behind =
            |open: &&Open| open.uri != *uri && open.is_vaults() && !self.packs.have(open);
        let others: Vec<Uri> =
            self.open.values().filter(is_behind).map(|open| open.uri.clone()).collect();
        for other in others {
            // What is wrong with its pack is told in it.
            let _ = self.take_up(&other);
        }
        self.take_up(uri)
    }

    /// Puts what the editor has of a file into its pack, if it is not there yet.
    fn take_up(&mut self, uri: &Uri) -> Result<(), Refusal> {
        let Some(open) = self.open.get_mut(uri) else { return Ok(()) };
        let (loaded, opener) = self.packs.of_files(open.at(&self.folders))?;
        let is_there = open.pack == Some(loaded.number) && !open.is_changed();
        if !is_there && open.is_vaults() {
            let name = open.path.as_deref().map(|path| loaded.pack.name_of(path));
            open.name = Some(name.unwrap_or_else(|| uri.as_str().into()));
            loaded.pack.take_up(opener, open.source(), Need::File)?;
            open.note_taken_up(loaded.number);
        }
        Ok(())
    }

    /// Tells the findings of the files whose texts are new.
    fn tell_findings(&mut self) -> Result<(), OpenError> {
        let is_any_new = self.open.values().any(|open| open.is_new);
        let is_wanted = |open: &&Open| if is_any_new { open.is_new } else { open.is_stale };
        let wanted: Vec<Uri> =
            self.open.values().filter(is_wanted).map(|open| open.uri.clone()).collect();
        for uri in wanted {
            if let Some(open) = self.open.get(&uri).filter(|open| open.is_lair_script()) {
                let told = scripts::diagnostics(open, self.open.values());
                self.publish(&uri, told)?;
                continue;
            }
            let taken = self.take_up_all(&uri);
            if let Err(refusal) = &taken {
                self.log(&refusal.message)?;
                // What keeps the server from looking at the file is all that is found in it.
                if self.open.get(&uri).is_some_and(Open::is_vaults) {
                    self.publish(&uri, vec![problems::unusable(&refusal.message)])?;
                }
            }
            let Some(open) = self.open.get_mut(&uri) else { continue };
            (open.is_new, open.is_stale) = (false, false);
            let loaded = self.packs.latest().filter(|_| taken.is_ok() && open.is_vaults());
            let Some(loaded) = loaded else { continue };
            let found = loaded.pack.findings(&open.source().name);
            let diagnostics = problems::diagnostics(&found, &open.places);
            self.publish(&uri, diagnostics)?;
        }
        Ok(())
    }

    /// Notes that the findings of the other open files may be others, since one has changed.
    fn note_others(&mut self, uri: Option<&Uri>) {
        for open in self.open.values_mut() {
            open.is_stale |= Some(&open.uri) != uri && open.is_vaults();
        }
    }

    /// Tells the findings of an open file, whose text is not new after that.
    fn publish(&mut self, uri: &Uri, diagnostics: Vec<Diagnostic>) -> Result<(), OpenError> {
        let Some(open) = self.open.get_mut(uri) else { return Ok(()) };
        (open.is_new, open.is_stale) = (false, false);
        // Only who has changed is told again what is known already.
        if open.told.as_ref() == Some(&diagnostics) {
            return Ok(());
        }
        open.told = Some(diagnostics.clone());
        let version = Some(open.version);
        let uri = uri.clone();
        self.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version })
    }

    fn note(&mut self, notification: Notification) -> Result<(), Refusal> {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let file = taken::<DidOpenTextDocument>(notification)?.text_document;
                let open = Open::new(file.uri.clone(), file.text, file.version, self.unit);
                self.open.insert(file.uri.clone(), open);
                self.note_others(Some(&file.uri));
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
                    self.note_others(Some(&file.uri));
                }
            }
            DidCloseTextDocument::METHOD => {
                let uri = taken::<DidCloseTextDocument>(notification)?.text_document.uri;
                if let Some(open) = self.open.remove(&uri) {
                    self.packs.put_back(open);
                }
                self.note_others(None);
                let none = PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None };
                self.notify::<PublishDiagnostics>(none)?;
            }
            DidSaveTextDocument::METHOD => {
                let uri = taken::<DidSaveTextDocument>(notification)?.text_document.uri;
                self.look_again(&[uri]);
                // Other open files may hold maps of this one.
                for open in self.open.values_mut() {
                    open.is_new = true;
                }
            }
            DidChangeWatchedFiles::METHOD => {
                let changes = taken::<DidChangeWatchedFiles>(notification)?.changes;
                let changed: Vec<Uri> = changes.into_iter().map(|change| change.uri).collect();
                self.look_again(&changed);
                self.note_others(None);
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads again what has changed on the disk, these files for certain. Libraries and tables are
    /// what a whole pack stands on.
    fn look_again(&mut self, changed: &[Uri]) {
        let is_below = |uri: &Uri| {
            let path = path_of(uri).filter(|path| !is_lair_script(path));
            path.is_some_and(|path| path.extension().is_some_and(|ending| ending != "des"))
        };
        match changed.iter().any(is_below) {
            true => self.packs.forget(),
            false => self.packs.look_again(),
        }
    }

    fn log(&self, message: &str) -> Result<(), OpenError> {
        let message = message.to_owned();
        self.notify::<LogMessage>(LogMessageParams { typ: MessageType::ERROR, message })
    }

    fn notify<N: lsp_types::notification::Notification>(
        &self,
        params: N::Params,
    ) -> Result<(), OpenError> {
        let notification = Notification::new(N::METHOD.to_owned(), params);
        Ok(self.connection.sender.send(Message::Notification(notification))?)
    }
}

/// Takes requests out of the queue that the editor has taken back.
fn drop_cancelled(queue: &mut VecDeque<Message>, connection: &Connection) -> Result<(), OpenError> {
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

/// Returns whether the editor tells of files that change on the disk, if it is asked to.
fn can_watch(params: &InitializeParams) -> bool {
    let workspace = params.capabilities.workspace.as_ref();
    let watching = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
    watching.and_then(|watching| watching.dynamic_registration).unwrap_or(false)
}

/// Asks the editor to tell of files that change on the disk.
fn watching() -> Request {
    let watchers = WATCHED.map(|pattern| json!({ "globPattern": pattern }));
    let params = json!({ "registrations": [{
        "id": "files",
        "method": DidChangeWatchedFiles::METHOD,
        "registerOptions": { "watchers": watchers },
    }] });
    let id = RequestId::from("watch".to_owned());
    Request { id, method: RegisterCapability::METHOD.to_owned(), params }
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
