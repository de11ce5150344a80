//! `providers`: how the providers of models stand.

use api_types::{ProblemReply, ProviderReply, Request};
use client::Client;

use crate::screen::Screen;
use crate::table::table;

pub(crate) fn ask(client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let providers: Vec<ProviderReply> = client.ask(Request::ProviderList {})?;
    screen.show(&providers, |providers| list(providers));
    Ok(())
}

fn list(providers: &[ProviderReply]) -> String {
    let rows = providers.iter().map(|provider| {
        let standing = provider.obstacle.clone().unwrap_or_else(|| "can be asked".to_owned());
        [
            provider.provider.clone(),
            provider.transport.clone(),
            provider.destination.clone(),
            standing,
        ]
    });
    let none = "no provider is configured; the built-in model needs none\n";
    let mut text = table(["PROVIDER", "TRANSPORT", "WHERE", "STANDING"], rows, none);
    if let Some(ProviderReply { retry, .. }) = providers.first() {
        text += &format!(
            "A question that may mend is asked at most {} times, the second time after {} ms, each \
             further one after twice as long; whoever is told to wait more than {} s gives up.\n",
            retry.attempts_max,
            retry.backoff_ms,
            retry.wait_ms_max / 1_000
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use api_types::RetryReply;

    #[test]
    fn providers_are_listed_with_what_stands_in_the_way_and_what_is_tried_again() {
        let retry = RetryReply { attempts_max: 3, backoff_ms: 500, wait_ms_max: 20_000 };
        let provider = |name: &str, obstacle: Option<&str>| ProviderReply {
            provider: name.to_owned(),
            transport: "openai_chat_completions".to_owned(),
            destination: "http://127.0.0.1:9/v1".to_owned(),
            available: obstacle.is_none(),
            obstacle: obstacle.map(str::to_owned),
            retry,
        };
        let text = list(&[provider("far", Some("env:KEY is not set")), provider("local", None)]);
        for said in ["env:KEY is not set", "can be asked", "at most 3 times", "500 ms", "20 s"] {
            assert!(text.contains(said), "{text}");
        }
        assert!(list(&[]).contains("the built-in model needs none"));
    }
}
