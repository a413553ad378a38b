//! Where a tap may listen: which spellings of an address are taken, and which are refused because others
//! could reach the server through it. Binds nothing.

use std::net::{IpAddr, Ipv6Addr, SocketAddr, ToSocketAddrs};

use url::Host;

const EXAMPLE: &str = "give an address of this machine with a port, such as 127.0.0.1:0";

/// The addresses that `listen` means, the first of which can be bound is to be taken. What others can reach
/// is refused unless `allow_remote`. An error fits after "failed to listen at …:".
pub fn of(listen: &str, allow_remote: bool) -> Result<Vec<SocketAddr>, String> {
    let (host, port) = split(listen);
    let addresses = if is_everything(host) { vec![IpAddr::V4([0; 4].into())] } else { resolve(host)? };
    if let Some(address) = addresses.iter().find(|address| !address.is_loopback())
        && !allow_remote
    {
        let whom = if address.is_unspecified() {
            "that means every interface of this machine, so everybody in its networks could use the server"
        } else {
            "that is no loopback address, so others in its network could use the server"
        };
        return Err(format!("{whom}; listen at 127.0.0.1:0, or say --allow-remote if that is what you want"));
    }
    let port = port.ok_or_else(|| format!("there is no port in it; {EXAMPLE} (0: any free port)"))?;
    let port: u16 = port.parse().map_err(|_| format!("{port:?} is no port; {EXAMPLE}"))?;
    Ok(addresses.into_iter().map(|address| SocketAddr::new(address, port)).collect())
}

/// Host and port; an IPv6 address may stand without brackets when no port follows.
fn split(listen: &str) -> (&str, Option<&str>) {
    if let Some((host, rest)) = listen.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return (host, rest.strip_prefix(':'));
    }
    if listen.parse::<Ipv6Addr>().is_ok() {
        return (listen, None);
    }
    listen.rsplit_once(':').map_or((listen, None), |(host, port)| (host, Some(port)))
}

/// What programs take for "all interfaces" without its being an address.
fn is_everything(host: &str) -> bool {
    matches!(host.trim(), "" | "*" | "+")
}

/// The addresses of `host`. Numbers are read as browsers and `inet_aton` read them: `0`, `0x0`, `017.1`.
fn resolve(host: &str) -> Result<Vec<IpAddr>, String> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![address.to_canonical()]);
    }
    match Host::parse(host) {
        Ok(Host::Ipv4(address)) => return Ok(vec![address.into()]),
        Ok(Host::Ipv6(address)) => return Ok(vec![IpAddr::V6(address).to_canonical()]),
        Ok(Host::Domain(_)) => {}
        Err(_) => return Err(format!("{host:?} is no address; {EXAMPLE}")),
    }
    let found = (host, 0).to_socket_addrs().map_err(|error| format!("{host} has no address ({error}); {EXAMPLE}"))?;
    let mut addresses: Vec<IpAddr> = found.map(|address| address.ip().to_canonical()).collect();
    addresses.dedup();
    // 127.0.0.1 first: some clients take `localhost` for nothing else.
    addresses.sort_by_key(|address| !address.is_ipv4());
    if addresses.is_empty() { Err(format!("{host} has no address; {EXAMPLE}")) } else { Ok(addresses) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_all_interfaces_is_refused_and_can_be_asked_for() {
        let all = [
            "0.0.0.0:80",
            "[::]:80",
            "[::0]:80",
            "[0:0:0:0:0:0:0:0]:80",
            "*:80",
            "+:80",
            ":80",
            "0:80",
            "0x0:80",
            "00.0.0.0:80",
            "0.0:80",
            "0x00000000:80",
            "[::ffff:0.0.0.0]:80",
            "[::ffff:0:0]:80",
            "000:80",
        ];
        for listen in all {
            let error = of(listen, false).expect_err(listen);
            assert!(error.contains("every interface") && error.contains("--allow-remote"), "{listen}: {error}");
            assert!(of(listen, true).expect(listen)[0].ip().is_unspecified(), "{listen}");
        }
        for listen in ["0.0.0.0", "::", "[::]", "0", "*", "::ffff:0.0.0.0"] {
            assert!(of(listen, false).expect_err(listen).contains("every interface"), "{listen}");
            assert!(of(listen, true).expect_err(listen).contains("no port"), "{listen}");
        }
    }

    #[test]
    fn what_others_reach_is_refused_and_loopback_is_taken() {
        for listen in ["192.168.1.5:80", "[fe80::1]:80", "10.1:80", "[::ffff:8.8.8.8]:1", "0x08080808:1"] {
            assert!(of(listen, false).expect_err(listen).contains("--allow-remote"), "{listen}");
            assert_eq!(of(listen, true).expect(listen).len(), 1, "{listen}");
        }
        for listen in ["127.0.0.1:80", "[::1]:80", "127.1:80", "0x7f000001:80", "[::ffff:127.0.0.1]:80", "127.8.9.1:80"]
        {
            let taken = of(listen, false).expect(listen);
            assert!(taken[0].ip().is_loopback() && taken[0].port() == 80, "{listen}: {taken:?}");
        }
        assert_eq!(of("localhost:80", false).expect("localhost")[0].port(), 80);
        for listen in ["127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:http", "no host:1", "::1"] {
            assert!(of(listen, false).expect_err(listen).contains("127.0.0.1:0"), "{listen}");
        }
    }
}
