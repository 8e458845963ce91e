import { describe, expect, it } from 'vitest';
import { findSecret, findSecrets } from './find-secrets.ts';

describe('findSecrets', () => {
  const secretsIn = (text: string) =>
    findSecrets(text).map(({ kind, start, end }) => [kind, text.slice(start, end)]);
  const token = `gh${'p_'}${'a1B2'.repeat(10)}`;
  const begin = `-----BEGIN ${'PRIVATE'} KEY-----`;
  const end = `-----END ${'PRIVATE'} KEY-----`;

  it.each([
    ['the password is hunter2is)Bad!9).', 'a password', 'hunter2is)Bad!9'],
    ['(api_key: 9fKq2LmXw81ZtR4uVb7N)', 'a key or token', '9fKq2LmXw81ZtR4uVb7N'],
    ['Authorization: Bearer  9fKq2LmXw81ZtR4uVb7N', 'an Authorization header', '9fKq2LmXw81ZtR4uVb7N'],
    ['at redis://:letmein@cache:6379', 'a password in a URL', 'letmein'],
  ])('says where the secret stands in %s', (text, kind, secret) => {
    expect(secretsIn(text)).toEqual([[kind, secret]]);
  });

  it('takes a token to the end of its word, however long its form is', () => {
    const key = `AIza${'a1B2c'.repeat(7)}`;
    expect(secretsIn(`use ${token}, then`)).toEqual([['a GitHub token', token]]);
    expect(secretsIn(`use ${token}_and-more, then`)).toEqual([['a GitHub token', `${token}_and-more`]]);
    expect(secretsIn(`${key} ${token}`)).toEqual([
      ['a GitHub token', token],
      ['a Google API key', key],
    ]);
  });

  it('takes a private key to its last line', () => {
    expect(secretsIn(`a\n${begin}\nab\ncd\n${end}\nb`)).toEqual([
      ['a private key', `${begin}\nab\ncd\n${end}`],
    ]);
    expect(secretsIn(`a\n${begin}\nab\n${end}`)).toEqual([['a private key', `${begin}\nab\n${end}`]]);
  });

  it.each([
    ['a private key', begin],
    ['a PuTTY private key', 'PuTTY-User-Key-File-3'],
  ])('takes %s without a last line to the end of the text', (kind, beginning) => {
    expect(secretsIn(`a\n${beginning}\nab\ncd\nef`)).toEqual([[kind, `${beginning}\nab\ncd\nef`]]);
  });
});

describe('findSecret', () => {
  it.each([
    ['API_KEY="9fKq2LmXw81ZtR4uVb7N"', 'a key or token'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ9kLm2pTv', 'a key or token'],
    ['"clientSecret": "q8Z~3kPw.9LmXv2RtYb7NcQd"', 'a key or token'],
    ['signing-key: 4f8a1c9e2b7d3f605a8e1c4b9d2f7a63', 'a key or token'],
    ['the token is 9fKq2LmXw81ZtR4uVb7N.', 'a key or token'],
    ['AccountKey=Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg+/Q==;EndpointSuffix=core', 'a key or token'],
    ['password = hunter2isBad!9', 'a password'],
    ["DB_PASSWORD: 'Tr0ub4dor&3'", 'a password'],
    ['the password is correct-horse-9battery!', 'a password'],
    ['Authorization: Bearer 9fKq2LmXw81ZtR4uVb7NcQd5', 'an Authorization header'],
    ['authorization: Basic dXNlcjpodW50ZXIyaXNCYWQh', 'an Authorization header'],
    ['postgres://bob:s3cr3tPw@db.internal/app', 'a password in a URL'],
    ['redis://:letmein@cache:6379', 'a password in a URL'],
    ['https://deploy:hunter@git.internal/x.git', 'a password in a URL'],
    ['https://deploy:hunter$2x@git.internal/x.git', 'a password in a URL'],
    ['https://deploy:secretive@git.internal/x.git', 'a password in a URL'],
    ['+postgres://bob:s3cr3tPw@db.internal/app', 'a password in a URL'],
    ['GET%20postgres://bob:s3cr3tPw@db.internal/app', 'a password in a URL'],
    ['use sk-9fKq2LmXw81ZtR4uVb7N for it', 'an API key'],
  ])('finds the secret in %s', (text, kind) => {
    expect(findSecret(text)).toBe(kind);
  });

  it.each([
    'The password must have 12 characters and a digit',
    'password: <your password here>',
    `password=\${DB_PASSWORD}`,
    'const password = process.env.DB_PASSWORD2',
    'api_key = config.services.openai2.key',
    'API_KEY: {{ secrets.API_KEY_2 }}',
    'token: oauth2-client-credentials',
    'the token is expired, ask for a new one',
    'max_tokens: 128000, total tokens = 4096',
    'secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-Ab12Cd',
    'the api key is in vault/kv2/data/prod/openai',
    'secret = op://team-vault2/openai/credential',
    'private key: ~/.ssh/id_ed25519_deploy2',
    'postgres://user:password@localhost:5432/app',
    `postgres://user:\${PGPASSWORD}@localhost/app`,
    'postgres://user:passwd@localhost:5432/app',
    'postgres://user:xxxx@localhost/app',
    'postgres://user:your-own@localhost/app',
    'postgres://user:my-example-pw@localhost/app',
    'postgres://user:changeme@localhost/app',
    'task-9fKq2LmXw81ZtR4uVb7N is done',
    'https://example.com:8443/path?x=1@2',
    'fixed in 9f2d3c4b5a6978877665544332211000ffeeddcc',
    'sha256:4f8a1c9e2b7d3f605a8e1c4b9d2f7a634f8a1c9e2b7d3f605a8e1c4b9d2f7a63',
    'idempotency token: 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    'session 3f2504e0-4f89-41d3-9a0c-0305e82c3301 ended',
    'cache key: user:1234:profile:v2',
    'a bearer token goes in the Authorization header',
    'Basic authentication-is-off-since-2024 for all hosts',
    'the secretary: Anna92Mueller1985xyz',
    'integrity sha512-9fKq2LmXw81ZtR4uVb7NcQd5A8sJd0Pq+/Q==',
    'import { tokenFormats } from "./token-formats.ts"',
    'ghp_ tokens begin with four letters; AKIA is the prefix of AWS keys',
    'パスワード は 1Password にある',
  ])('leaves alone: %s', (text) => {
    expect(findSecret(text)).toBeUndefined();
  });
});
