import { describe, expect, it } from 'vitest';
import { createGuard, type Guard, isLoopback } from './guard.ts';

const settings = {
  host: '127.0.0.1',
  allowedHosts: ['nexus.example.com', 'other.example.com:8443'],
  allowedOrigins: ['https://tools.example.com'],
};

describe('the guard', () => {
  const fault = (headers: Parameters<Guard['fault']>[0]) => createGuard(settings).fault(headers);

  it.each([
    'localhost',
    'LOCALHOST:7333',
    '127.0.0.1:1',
    '[::1]:7333',
    'nexus.example.com',
    'nexus.example.com:443',
    'other.example.com:8443',
  ])('serves Host %s', (host) => expect(fault({ host })).toBeUndefined());

  it.each([
    undefined,
    '',
    'evil.example.com',
    'localhost.evil.example.com',
    'evil.example.com:7333',
    '192.168.0.1',
    'other.example.com',
    'localhost@evil.example.com',
    '127.0.0.1.evil.example.com',
    'localhost:7333:1',
  ])('refuses Host %s', (host) => expect(fault({ host })).toContain('allowedHosts'));

  it.each([
    'http://localhost:3000',
    'https://127.0.0.1',
    'http://[::1]:1',
    'https://tools.example.com',
    'https://nexus.example.com',
  ])('lets Origin %s call', (origin) => expect(fault({ host: 'localhost', origin })).toBeUndefined());

  it.each([
    'null',
    '',
    'http://evil.example.com',
    'https://tools.example.com.evil.example.com',
    'http://tools.example.com',
    'file://',
    'http://localhost@evil.example.com',
    'http://evil.example.com/localhost',
    'http://localhost/evil',
    'evil-http://localhost',
  ])('refuses Origin %s', (origin) =>
    expect(fault({ host: 'localhost', origin })).toContain('allowedOrigins'),
  );

  it('serves any address but no name where it listens on all of them', () => {
    const open = createGuard({ ...settings, host: '0.0.0.0', allowedHosts: [] });
    for (const host of ['10.1.2.3:7333', '[fe80::1]:7333', 'localhost'])
      expect(open.fault({ host })).toBeUndefined();
    for (const host of ['evil.example.com', 'evil[fe80::1]', '[fe80::1]evil'])
      expect(open.fault({ host }), host).toBeDefined();
  });

  it('takes :: for all addresses, too', () => {
    const open = createGuard({ ...settings, host: '::', allowedHosts: [] });
    expect(open.fault({ host: '10.1.2.3:7333' })).toBeUndefined();
  });

  it('lets no page call by its address alone where it listens on all of them', () => {
    const open = createGuard({ ...settings, host: '0.0.0.0', allowedHosts: ['10.0.0.9'] });
    const call = (origin: string) => open.fault({ host: '10.1.2.3:7333', origin });
    for (const origin of [
      'http://203.0.113.7',
      'http://10.1.2.3:7333',
      'https://[2001:db8::1]',
      'http://0.0.0.0',
    ]) {
      expect(call(origin), origin).toContain('allowedOrigins');
    }
    for (const origin of ['http://10.0.0.9:3000', 'http://localhost:1', 'https://tools.example.com']) {
      expect(call(origin), origin).toBeUndefined();
    }
  });

  it('serves the address it listens on', () => {
    expect(createGuard({ ...settings, host: '10.0.0.5' }).fault({ host: '10.0.0.5:80' })).toBeUndefined();
    expect(createGuard({ ...settings, host: 'fd00::5' }).fault({ host: '[fd00::5]:80' })).toBeUndefined();
  });
});

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.18.29.10', '::1', 'localhost'])('knows %s', (host) =>
    expect(isLoopback(host)).toBe(true),
  );
  it.each(['0.0.0.0', '::', '10.0.0.1', 'example.com', '127.0.0.1.example.com', 'x127.0.0.1'])(
    'denies %s',
    (host) => expect(isLoopback(host)).toBe(false),
  );
});
