//! After a server has agreed to another protocol (101): bytes both ways, which are not HTTP and are
//! counted, not noted.

use super::journal::Journal;
use crate::model::HttpEnd;
use crate::transport::http::{Broken, Heard, Hearing, ReadHalf, Reader, Sending, WriteHalf, Writer};
use crate::wire::http::BodyLength;

/// Passes bytes on until both sides have closed, or one has gone.
pub async fn run(
    reader: &mut Reader<ReadHalf>,
    writer: &mut Writer<WriteHalf>,
    sending: &mut Sending<'_>,
    hearing: &mut Hearing<'_>,
    journal: &Journal,
) {
    reader.body(BodyLength::UntilClose);
    sending.upgrade();
    let (mut from_client, mut from_server) = (0_u64, 0_u64);
    let up = async {
        while let Heard::Data(bytes) = reader.next().await? {
            from_client += bytes.len() as u64;
            sending.data(bytes).await?;
            sending.flush().await?;
        }
        sending.finish(b"").await
    };
    let down = async {
        while let Heard::Data(bytes) = hearing.next().await? {
            from_server += bytes.len() as u64;
            writer.data(bytes).await?;
            writer.flush().await?;
        }
        writer.finish(b"").await
    };
    let ended: Result<_, Broken> = tokio::try_join!(up, down);
    let how = if ended.is_ok() { "" } else { ", until one side broke off" };
    journal.over(
        HttpEnd::Complete,
        format!("passed on as another protocol, not recorded: {from_client} bytes from the client, {from_server} from the server{how}"),
    );
}
