import { createFetching, testPlugin } from '@nexus/testing';
import { afterAll } from 'vitest';
import { gitHubServer, SHOP } from '../test/github-server.ts';
import github from './index.ts';

const server = await gitHubServer({
  ...SHOP,
  'GET /repos/acme/shop/issues/7': {
    number: 7,
    title: 'Crash',
    body: null,
    state: 'open',
    html_url: 'https://github.com/acme/shop/issues/7',
    user: { login: 'ann', type: 'User' },
    author_association: 'MEMBER',
    labels: [],
    created_at: '2026-01-01T00:00:00Z',
    comments: 0,
  },
  'GET /repos/acme/shop/labels': [],
  'GET /search/issues': { items: [] },
});
afterAll(() => server[Symbol.asyncDispose]());

testPlugin(github, {
  fetching: (store, dataDir) =>
    createFetching({
      store,
      dataDir,
      settings: { github: { baseUrl: server.url } },
      allowHosts: [],
      userAgent: 'nexus-test',
    }),
  goodCalls: {
    repo_analyze: { repoUrl: 'acme/shop', includeSecurityGaps: true },
    repo_security_plan: { repoUrl: 'acme/shop' },
    issue_triage: { issueUrl: 'acme/shop#7' },
  },
});
