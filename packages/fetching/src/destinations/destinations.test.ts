import { describe, expect, it } from 'vitest';
import { fetchingUnderTest, loopback } from '../../test/loopback.ts';
import { isPublic } from './is-public.ts';

const { signal } = new AbortController();

/** Ways to say an address that is not of the open internet, as URLs take them. */
const INSIDE = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
  ...['127.255.255.254', '0.0.0.0', '0', '10.0.0.1', '10.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '169.254.170.2', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '100.64.0.1'],
  ...[
    '100.100.100.200',
    '192.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
  ],
  ...[
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
  ],
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[::ffff:10.0.0.1]',
  ],
  ...[
    '[::ffff:169.254.169.254]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[64:ff9b::7f00:1]',
  ],
  ...[
    '[64:ff9b::a9fe:a9fe]',
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
    '[2001::1]',
    '[2001:db8::1]',
    '[100::1]',
  ],
  ...['[::7f00:1]', '[::127.0.0.1]', '[2001:0:7f00:1::]', '[fec0::1]', '[64:ff9b:1::1]', '[0000::0001]'],
];

/** Names that lead inside. */
const NAMES = {
  localhost: '127.0.0.1',
  'localhost.': '127.0.0.1',
  'a.localhost': '127.0.0.1',
  'metadata.google.internal': '169.254.169.254',
  'inside.example': '10.0.0.7',
  'six.example': '::1',
  'mapped.example': '::ffff:127.0.0.1',
  'link.example': 'fe80::1',
};

describe('what a URL may lead to', () => {
  it('has sixty forms and more that it may not', () => {
    expect(INSIDE.length + Object.keys(NAMES).length).toBeGreaterThanOrEqual(60);
  });

  it.each([...INSIDE, ...Object.keys(NAMES)])('is not %s', async (host) => {
    await using server = await loopback((_, response) => response.end('inside'));
    await using under = fetchingUnderTest({ names: NAMES });
    for (const port of [`:${server.port}`, '']) {
      const call = under.fetching.url(`http://${host}${port}/`, { signal });
      await expect(call).rejects.toMatchObject({ code: 'NEXUS_DENIED' });
    }
    expect(server.requests).toEqual([]);
  });

  it.each([
    'ftp://example.org/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'http://user:pass@example.org/',
    'x',
  ])('is not %s, of which it says why', async (url) => {
    await using under = fetchingUnderTest();
    await expect(under.fetching.url(url, { signal })).rejects.toMatchObject({
      code: 'NEXUS_INVALID_ARGUMENTS',
    });
  });

  it.each(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'])('is %s', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  it('is what the config allows by name, port or domain, and no other port or name', async () => {
    await using server = await loopback((_, response) => response.end('allowed'));
    const names = { 'a.corp.example': '127.0.0.1', 'corp.example': '127.0.0.1', 'x.example': '127.0.0.1' };
    const at = (host: string) => `http://${host}:${server.port}/`;
    await using wild = fetchingUnderTest({ names, allowHosts: ['*.corp.example'] });
    expect(Buffer.from((await wild.fetching.url(at('a.corp.example'), { signal })).body).toString()).toBe(
      'allowed',
    );
    await expect(wild.fetching.url(at('corp.example'), { signal })).rejects.toMatchObject({
      code: 'NEXUS_DENIED',
    });
    await expect(wild.fetching.url(at('x.example'), { signal })).rejects.toMatchObject({
      code: 'NEXUS_DENIED',
    });
    await using port = fetchingUnderTest({ names, allowHosts: [`x.example:${server.port}`] });
    expect((await port.fetching.url(at('x.example'), { signal })).status).toBe(200);
    await expect(port.fetching.url('http://x.example:8099/', { signal })).rejects.toMatchObject({
      code: 'NEXUS_DENIED',
    });
  });

  it('is dialled at the address that was checked, whatever the name stands for a moment later', async () => {
    await using server = await loopback((_, response) => response.end('inside'));
    let asked = 0;
    await using under = fetchingUnderTest({
      resolve: async () => {
        asked += 1;
        // First the open internet (where nothing answers here), then this machine.
        return [{ address: asked === 1 ? '192.88.99.1' : '127.0.0.1', family: 4 }];
      },
    });
    await expect(under.fetching.url(`http://flip.example:${server.port}/`, { signal })).rejects.toThrow();
    expect(server.requests).toEqual([]);
  });

  it('is none of a redirect’s places inside either, however far down', async () => {
    await using inside = await loopback((_, response) => response.end('a secret'));
    await using outside = await loopback((request, response) => {
      const hop = Number(request.url?.slice(1));
      const location = hop < 3 ? `/${hop + 1}` : `${inside.url}/latest/meta-data`;
      response.writeHead(302, { location }).end();
    });
    await using under = fetchingUnderTest({
      names: { 'out.example': '127.0.0.1' },
      allowHosts: [`out.example:${outside.port}`],
    });
    const call = under.fetching.url(`http://out.example:${outside.port}/1`, { signal });
    await expect(call).rejects.toMatchObject({ code: 'NEXUS_DENIED' });
    expect(outside.requests).toHaveLength(3);
    expect(inside.requests).toEqual([]);
  });
});
