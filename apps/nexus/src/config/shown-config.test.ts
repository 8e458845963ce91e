// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables are written like that
import { describe, expect, it } from 'vitest';
import { parseConfig } from './parse.ts';
import { shownConfig } from './shown-config.ts';

const environment = { TOKEN: 'hunter2', HOST: 'db.example', NAME: 'hunter2' };

describe('shownConfig', () => {
  const raw = {
    server: { name: '${NAME}' },
    limits: { burst: 7 },
    toolboxes: {
      prod: {
        mcpServers: {
          api: {
            command: 'npx',
            args: ['-y', 'api', '--key', 'hunter2', '--host=${HOST}', '${TOKEN}'],
            env: { API_KEY: '${TOKEN}', LITERAL: 'hunter2' },
          },
          web: {
            url: 'https://${HOST}/mcp?token=hunter2',
            headers: { Authorization: 'Bearer ${TOKEN}', 'X-Other': 'hunter2' },
            oauth: { clientId: 'me', clientSecret: 'hunter2' },
          },
        },
      },
    },
  };
  const shown = shownConfig(parseConfig(raw, { plugins: [], environment, source: 'test' }));

  it('has no secret, neither a literal one nor a variable’s value', () => {
    expect(JSON.stringify(shown)).not.toContain('hunter2');
  });

  it('shows a server that lacks a variable as it is written', () => {
    const lacking = { a: { mcpServers: { s: { command: '${NOWHERE}' }, t: { command: 'y' } } } };
    const parsed = parseConfig({ toolboxes: lacking }, { plugins: [], environment, source: 'test' });
    expect(shownConfig(parsed)).toMatchObject({ toolboxes: lacking });
  });

  it('shows variables as written, and defaults filled in', () => {
    expect(shown).toMatchObject({
      server: { name: '${NAME}' },
      limits: { burst: 7, callsPerSecond: 5_000 },
      toolMode: 'dynamic',
      toolboxes: {
        prod: {
          autoOpen: false,
          mcpServers: {
            api: {
              args: ['-y', 'api', '--key', '********', '--host=${HOST}', '${TOKEN}'],
              env: { API_KEY: '${TOKEN}', LITERAL: '********' },
              toolFilters: ['*'],
            },
            web: {
              url: 'https://${HOST}/mcp?token=********',
              headers: { Authorization: 'Bearer ${TOKEN}', 'X-Other': '********' },
              oauth: { clientId: 'me', clientSecret: '********' },
            },
          },
        },
      },
    });
  });
});
