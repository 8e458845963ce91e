import { expect, it } from 'vitest';
import { adviceOn } from './advice-on.ts';

it.each([
  ['ENOTFOUND', /online/],
  ['EAI_AGAIN', /online/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
  ['ECONNREFUSED', /firewall/],
  [undefined, /try again later/],
])('says what may be done where a host is not reached by %s', (code, advice) => {
  expect(adviceOn(Object.assign(new Error('x'), { code }))).toMatch(advice);
});
