import ipaddr from 'ipaddr.js';

/** All of IPv6 that the registries give out (RFC 4291, 2.4; IANA). */
const GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one of the open internet: not of this machine, a private or local network, a carrier's, a
 * test's, nor one of IPv6 that stands for an IPv4 address of any kind (RFC 6890, RFC 6052, RFC 3056, RFC 4380).
 * @param address dotted, or IPv6 with or without a zone; anything else is none
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  if (!(parsed instanceof ipaddr.IPv6)) return true;
  // What is not given out yet, or no longer, such as IPv4-compatible addresses, counts as unicast elsewhere.
  return !parsed.zoneId && parsed.match(GIVEN_OUT);
}
