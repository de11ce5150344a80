//! One attempt: send, and read the answer.

use egress::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use egress::{Answer, Bytes, Egress, HeaderMap, HeaderValue, Outgoing};
use model::{Heard, Listen};
use secrets::Secret;
use types::{At, ModelFailureKind};

use crate::ProviderConfig;
use crate::answer::{Miss, Spoken, Wrong};
use crate::chat::{self, Piece, Stream};
use crate::classify::by_status;
use crate::counted::Passed;
use crate::discreet::Discreet;
use crate::error_body::ErrorBody;
use crate::retry_after::{retry_after_ms, span};
use crate::timeline::Timeline;

/// Characters of what is said of a failure that are kept, a provider's own words among them.
const MESSAGE_CHARS_MAX: usize = 340;

/// Whoever listens to one attempt.
pub(crate) struct Ear<'a> {
    listen: &'a dyn Listen,
    attempt: u32,
    n: u64,
}

impl<'a> Ear<'a> {
    /// For the next attempt of these. What was heard of an earlier one is void.
    pub(crate) fn of(listen: &'a dyn Listen, timeline: &Timeline) -> Ear<'a> {
        let (attempt, taken) = (timeline.next(), timeline.taken().unwrap_or_default());
        if attempt > 1 {
            listen.heard(Heard::Restart { attempt, taken });
        }
        Ear { listen, attempt, n: 0 }
    }

    fn hear(&mut self, piece: Piece) {
        let (attempt, n) = (self.attempt, self.n);
        self.n += 1;
        self.listen.heard(match piece {
            Piece::Text(text) => Heard::Text { attempt, n, text },
            Piece::Call(tool) => Heard::Call { attempt, n, tool },
        });
    }
}

/// What is sent, and how many tokens may come back.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) body: Bytes,
    pub(crate) tokens_max: u64,
}

/// Sends a request and reads the answer to its end.
pub(crate) async fn attempt(
    config: &ProviderConfig,
    egress: &Egress,
    Asked { body, tokens_max }: Asked,
    now: impl Fn() -> At,
    ear: &mut Ear<'_>,
) -> Result<Spoken, Miss> {
    let secret = secret(config)?;
    let mut passed = Passed { sent: body.len(), said: 0, said_max: tokens_max };
    let way = (config, egress, secret.as_ref());
    let exchanged = exchange(way, body, now, ear, &mut passed).await;
    exchanged.map_err(|miss| {
        let miss = miss.counted(passed);
        // First struck out, then cut: half a secret would not be found any more.
        let struck = secret.as_ref().map(|secret| secret.strike(&miss.message));
        let message = bounded(struck.as_ref().unwrap_or(&miss.message));
        Miss { message, ..miss }
    })
}

/// One line of bounded length.
fn bounded(text: &str) -> String {
    let line = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    line.take(MESSAGE_CHARS_MAX).collect()
}

/// Looked up for each attempt, and before anything is sent.
fn secret(config: &ProviderConfig) -> Result<Option<Secret>, Miss> {
    let secret = config.secret.as_ref().map(secrets::resolve).transpose();
    secret.map_err(|error| {
        Miss::stopped("secret", ModelFailureKind::SecretUnavailable, error.to_string())
    })
}

async fn exchange(
    (config, egress, secret): (&ProviderConfig, &Egress, Option<&Secret>),
    body: Bytes,
    now: impl Fn() -> At,
    ear: &mut Ear<'_>,
    passed: &mut Passed,
) -> Result<Spoken, Miss> {
    let url = &config.url();
    let outgoing = Outgoing { url, headers: headers(config, secret), body };
    let sent = egress.post(outgoing).await;
    let answer = sent.map_err(|error| Miss::by_way_out(&error, url, None))?;
    let status = answer.status();
    if !(200..300).contains(&status) {
        return Err(refused(answer, url, now()).await);
    }
    let tells = |text: &str| secret.is_some_and(|secret| secret.is_told_by(text));
    let streams = is_stream(config, answer.headers());
    let spoken = if streams {
        hear(answer, url, ear, secret, &mut passed.said).await?
    } else {
        let whole = answer.whole().await;
        let whole = whole.map_err(|error| unread(&error, url, status, &mut passed.said))?;
        passed.said = whole.len();
        chat::read(&whole).map_err(|wrong| Miss::by_answer(wrong, url, status))?
    };
    if spoken.texts().any(|text| tells(&text)) {
        let wrong = Wrong::invalid("the answer repeats the key that it was asked with");
        return Err(Miss::by_answer(Wrong { usage: spoken.usage, ..wrong }, url, status));
    }
    if !streams {
        tell(&spoken, ear);
    }
    Ok(spoken)
}

/// The answer could not be read to its end. Of one that is too long it is known how much came at least.
fn unread(error: &egress::Error, url: &str, status: u16, said: &mut usize) -> Miss {
    if let egress::Error::TooLong { bytes_max } = error {
        *said = (*said).max(*bytes_max);
    }
    Miss::by_way_out(error, url, Some(status))
}

fn headers(config: &ProviderConfig, secret: Option<&Secret>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let accept = if config.stream { "text/event-stream" } else { "application/json" };
    headers.insert(ACCEPT, HeaderValue::from_static(accept));
    if let Some(secret) = secret {
        let bearer = format!("Bearer {}", secret.expose());
        let mut bearer = HeaderValue::try_from(bearer).expect("secrets have visible characters");
        // So that nobody who prints a head prints it.
        bearer.set_sensitive(true);
        headers.insert(AUTHORIZATION, bearer);
    }
    headers
}

/// As the answer says, and if it does not, as it was asked for.
fn is_stream(config: &ProviderConfig, headers: &HeaderMap) -> bool {
    match headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) {
        Some(kind) => kind.trim_start().to_ascii_lowercase().starts_with("text/event-stream"),
        None => config.stream,
    }
}

/// Reads a stream, and is heard while it comes, but for what nobody is to hear.
async fn hear(
    mut answer: Answer,
    url: &str,
    ear: &mut Ear<'_>,
    secret: Option<&Secret>,
    said: &mut usize,
) -> Result<Spoken, Miss> {
    let status = answer.status();
    let wrong = |wrong: Wrong| Miss::by_answer(wrong, url, status);
    let (mut stream, mut discreet) = (Stream::default(), Discreet::about(secret));
    while !stream.is_done() {
        let chunk = answer.chunk().await;
        let chunk = chunk.map_err(|error| unread(&error, url, status, said))?;
        let Some(bytes) = chunk else { break };
        let fed = stream.feed(&bytes);
        *said = stream.said();
        for piece in fed.map_err(wrong)? {
            discreet.pass(piece).into_iter().for_each(|piece| ear.hear(piece));
        }
    }
    discreet.rest().into_iter().for_each(|piece| ear.hear(piece));
    if stream.is_done() {
        answer.close().await;
    }
    stream.end().map_err(wrong)
}

/// What came at once is heard at once.
fn tell(spoken: &Spoken, ear: &mut Ear<'_>) {
    if !spoken.text.is_empty() {
        ear.hear(Piece::Text(spoken.text.clone()));
    }
    for call in &spoken.calls {
        ear.hear(Piece::Call(call.tool.clone()));
    }
}

/// The answer is an error; what it says of itself helps if it can be read.
async fn refused(answer: Answer, url: &str, now: At) -> Miss {
    let status = answer.status();
    let in_head = retry_after_ms(status, answer.headers(), now);
    let said = answer.whole().await.map(|bytes| ErrorBody::read(&bytes)).unwrap_or_default();
    let retry_after_ms = in_head.or_else(|| said.retry_after.as_deref().and_then(span));
    let miss = Miss::by_status(status, by_status(status, &said), &said.message, url);
    Miss { retry_after_ms, ..miss }
}
