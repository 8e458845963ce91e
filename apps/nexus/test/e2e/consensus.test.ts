import { loopbackGitHub, type ModelRequestSeen, modelEndpoint, type Reply } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { auditEvents } from '../harness/audit-events.ts';
import { PATIENCE } from '../harness/expert-kill.ts';
import { answerIn, NO_MODELS } from '../harness/expert-team.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { finishedKeys, rowsOf, runOf } from '../harness/run-record.ts';
import type { ServerProcess } from '../harness/server-process.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp, verifies, verifiesApp } from '../harness/verifies.ts';
import { TWO_MODELS, type VotePanel, type Voter, votePanel } from '../harness/vote-panel.ts';

const config = { consensus: { models: TWO_MODELS } };
const PROPOSAL = { proposal: 'Keep the users’ settings and the scores of models in SQLite.' };

verifies('consensus.vote', 'seven voters over two vendors’ models vote once each', async (way) => {
  await using panel = await votePanel();
  await using project = await makeProject({ config, env: panel.env });
  await using server = await way.open(project);
  const { result } = await server.session.call('consensus_vote', PROPOSAL);
  expect(result.structuredContent, JSON.stringify(result)).toMatchObject({
    decision: 'approved',
    panelDiversity: { voters: 7, models: 2, vendors: 2 },
    dissent: [{ voter: 'catfish', decision: 'reject' }],
    effectiveVotes: { basis: expect.stringMatching(/^No record/) },
    summary: expect.stringMatching(/^## Approved/),
    usage: {
      inputTokens: panel.endpoints.reduce((sum, { usage }) => sum + usage.input, 0),
      outputTokens: panel.endpoints.reduce((sum, { usage }) => sum + usage.output, 0),
    },
  });
  expect(panel.asked).toHaveLength(7);
  expect(new Set(panel.asked.map(({ key }) => key)).size).toBe(7);
  const seen = panel.endpoints.map(({ requests }) => requests.map(({ wire, fault }) => [wire, fault]));
  expect(seen).toEqual([
    Array(4).fill(['anthropic', undefined]),
    Array(3).fill(['openai-responses', undefined]),
  ]);
  expect(await auditEvents(project, 'consensus.vote')).toMatchObject([{ decision: 'approved' }]);
  // Blind: nobody is shown another's ballot.
  for (const { text } of panel.asked) expect(text).not.toMatch(/says (approve|reject)/);
});

interface Killed {
  /** Who is asked and not answered when the server dies. */
  readonly while: Voter;
  next(project: SharedProject): Promise<ServerProcess>;
  readonly isBridge: boolean;
}

/** Kills the server in a vote, and holds that the next one ends it without asking anybody again who has voted. */
async function killInVote({ while: held, next, isBridge }: Killed): Promise<void> {
  let isDead = false;
  const hold = (voter: Voter): Reply | undefined => (voter === held && !isDead ? { hangs: true } : undefined);
  await using panel: VotePanel = await votePanel(({ voter }) => hold(voter));
  await using project = await shareProject({ config, env: panel.env });
  const first = await project.host();
  const bridge = isBridge ? await next(project) : undefined;
  first.session.call('consensus_vote', PROPOSAL).catch(() => {});
  const read = rowsOf(project);
  await vi.waitFor(async () => expect((await finishedBallots(read)).length).toBe(6), PATIENCE);
  first.child.kill('SIGKILL');
  isDead = true;
  await first.exit();
  const finished = await finishedKeys(read);
  const before = panel.asked.length;
  if (!bridge) await next(project);
  await vi.waitFor(
    async () => expect(await runOf(read, 'consensus.vote')).toMatchObject({ status: 'completed' }),
    PATIENCE,
  );
  const again = panel.asked.slice(before);
  expect(again.map(({ voter }) => voter)).toEqual([held]);
  expect(again.filter(({ key }) => finished.has(key))).toEqual([]);
  expect(await read('select decision from consensus_votes')).toEqual([{ decision: 'approved' }]);
  expect(await read('select count(*) as count from consensus_ballots')).toEqual([{ count: 7 }]);
}

const finishedBallots = (read: ReturnType<typeof rowsOf>) =>
  read(`select name from runs_steps where name like 'ballot %' and status = 'completed'`).catch(() => []);

const host = (project: SharedProject) => project.host();

verifiesApp('consensus.kill', 'the next server ends a vote whose server died', () =>
  killInVote({ while: 'security', next: host, isBridge: false }),
);
slowlyVerifiesApp('consensus.kill', 'a bridge ends a vote whose server died', () =>
  killInVote({ while: 'catfish', next: host, isBridge: true }),
);

verifiesApp(
  'command.votes',
  'lists votes, and tells how one turned out, with a server and without',
  async () => {
    await using panel = await votePanel();
    await using project = await shareProject({ config, env: panel.env });
    const { session, child, exit } = await project.host();
    const vote = async () => {
      const { result } = await session.call('consensus_vote', { ...PROPOSAL, strategy: 'weighted' });
      return result.structuredContent;
    };
    const first = await vote();
    expect(first.weights.basis).toMatch(/^No record/);
    const told = await runNexus(project, [
      'votes',
      'outcome',
      first.recordId,
      'wrong',
      '--source',
      'rolled back',
    ]);
    expect(told.stdout).toBe(
      `Vote ${first.recordId} (approved) was wrong: 1 of its ballots were right, 6 wrong.`,
    );
    const second = await vote();
    // One voter at 2/3 against six at 1/3.
    expect(second).toMatchObject({
      decision: 'approved',
      weights: { basis: expect.stringMatching(/^7 earlier ballots/) },
    });
    expect(second.approval).toBeCloseTo(2 / (2 + 2 / 3));
    // Of a run, by the models that answered in it; and so the router has it.
    const ofRun = await runNexus(project, ['votes', 'outcome', first.runId, 'wrong']);
    expect(ofRun.stdout).toMatch(/turned out wrong, on the record of \S+:\S+, \S+:\S+\.$/);
    const { result: weather } = await session.call('weather_report', { category: 'reasoning' });
    expect(JSON.stringify(weather.structuredContent)).toMatch(/"judged":{"good":\d+,"bad":\d+}/);
    const missing = await runNexus(project, ['votes', 'outcome', 'none', 'right']);
    expect(missing.exitCode).not.toBe(0);
    expect(missing.stderr).toMatch(/No vote none: .*`nexus votes`.* No run none: .*`nexus runs` lists them/s);
    session.end();
    await exit();
    expect(child.exitCode).toBe(0);
    const alone = await runNexus(project, ['votes', 'outcome', second.recordId, 'right', '--json']);
    expect(JSON.parse(alone.stdout)).toMatchObject({ outcome: 'right', ballots: { right: 6, wrong: 1 } });
    const listed = await runNexus(project, ['votes']);
    expect(listed.stdout).toMatch(new RegExp(`${second.recordId}\\s+approved\\s+right`));
    expect(listed.stdout).toMatch(new RegExp(`${first.recordId}\\s+approved\\s+wrong`));
    const one = await runNexus(project, ['votes', first.recordId.slice(0, 8)]);
    expect(one.stdout).toContain(`Vote ${first.recordId}, `);
    expect(one.stdout).toContain('Outcome: wrong, by ');
    // Each ballot with its reason, and whole; by --json as it was answered.
    for (const { reasoning } of first.votes) expect(one.stdout).toContain(reasoning);
    expect(one.stdout).toContain('### What it is worth');
    const asJson = JSON.parse((await runNexus(project, ['votes', first.recordId, '--json'])).stdout);
    const { runId, usage: _, tookMs: __, ...answered } = first;
    expect(asJson).toMatchObject({ ...answered, runId, outcome: 'wrong', outcomeSource: 'rolled back' });
    expect(await runNexus(project, ['votes', 'feedfeed'])).toMatchObject({ exitCode: 1, stdout: '' });
  },
);

verifiesApp('consensus.panel', 'a panel judges by each axis', async () => {
  const said = (decision: string) => ({ reasoning: 'So it is.', decision, confidence: 0.7 });
  await using endpoint = await modelEndpoint(() =>
    answerIn({
      verdicts: { axis_1: said('approve'), axis_2: said('reject'), axis_3: said('approve') },
    }),
  );
  await using project = await shareProject({ env: anthropicAt(endpoint.url) });
  const { session } = await project.host();
  const { result } = await session.call('supply_chain_tradeoff_panel', { proposal: 'Vendor the parser.' });
  expect(result.structuredContent, JSON.stringify(result)).toMatchObject({
    decision: 'mixed',
    axes: [
      { axis: 'build_time_determinism', verdict: 'approve' },
      { axis: 'supply_chain_risk', verdict: 'reject' },
      { axis: 'update_cadence', verdict: 'approve' },
    ],
  });
  expect(endpoint.requests.map(({ fault }) => fault)).toEqual(Array(5).fill(undefined));
  expect(await auditEvents(project, 'consensus.panel')).toMatchObject([{ decision: 'mixed' }]);
  // Once, however often it is sent, and by its name.
  expect(await auditEvents(project, 'secret.used')).toEqual([
    { name: 'ANTHROPIC_API_KEY', by: 'model provider anthropic' },
  ]);
  expect(result.structuredContent.leftOut).toMatchObject([{ voter: 'ai_ml' }, { voter: 'pm' }]);
});

const DIFF = `diff --git a/src/login.ts b/src/sign-in.ts
similarity index 60%
rename from src/login.ts
rename to src/sign-in.ts
--- a/src/login.ts
+++ b/src/sign-in.ts
@@ -1,3 +1,3 @@
 export function signIn(name: string) {
-  return find(name);
+  return db.get("select * from users where name = '" + name + "'");
 }
`;
const SIGN_IN = `export function signIn(name: string) {
  return db.get("select * from users where name = '" + name + "'");
}
`;

verifiesApp(
  'consensus.review',
  'a review keeps what holds, by the text of the diff and by the code plugin’s own word',
  async () => {
    const at = { file: 'src/login.ts', line: 2, quote: 'where name = \'" + name', severity: 'critical' };
    const claims = [
      { ...at, kind: 'defect', claim: 'The name is concatenated into the query: SQL injection.' },
      { ...at, kind: 'missing_symbol', subject: 'signIn', claim: 'signIn is defined nowhere.' },
      { ...at, kind: 'does_not_parse', claim: 'The string is not closed.' },
      { ...at, file: 'src/other.ts', kind: 'defect', claim: 'It leaks.' },
    ];
    const reply = ({ body }: ModelRequestSeen): Reply => {
      const text = JSON.stringify(body);
      if (text.includes('You check one claim')) return answerIn({ reasoning: 'It is.', verdict: 'real' });
      return answerIn({ findings: text.includes('You look for code') ? claims : [] });
    };
    await using endpoint = await modelEndpoint(reply);
    const files = { 'src/sign-in.ts': SIGN_IN };
    await using project = await shareProject({ files, env: anthropicAt(endpoint.url) });
    const { session } = await project.host();
    const { result } = await session.call('pr_review', { prTitle: 'Sign in', prDiff: DIFF });
    expect(result.structuredContent, JSON.stringify(result)).toMatchObject({
      decision: 'request_changes',
      findings: [{ file: 'src/sign-in.ts', line: 2, claim: claims[0]?.claim, verified: true }],
    });
    const reasons = result.structuredContent.dropped.map(({ reason }: { reason: string }) => reason).sort();
    expect(reasons).toEqual([
      'signIn is defined in src/sign-in.ts, line 1',
      'src/sign-in.ts parses',
      'the diff has no file src/other.ts',
    ]);
  },
);

const POST = { repo: 'acme/shop', prNumber: 7, postComments: true };
const TOKEN = 'a-token-of-the-user';

async function reviewedOn(github: { readonly url: string }, models: string, also: object = {}) {
  return shareProject({
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the config
    config: { sources: { github: { baseUrl: github.url, key: '${GITHUB_TOKEN}' } } },
    env: { ...anthropicAt(models), GITHUB_TOKEN: TOKEN, ...also },
  });
}

const findsInjection = ({ body }: ModelRequestSeen): Reply => {
  const text = JSON.stringify(body);
  if (text.includes('You check one claim')) return answerIn({ reasoning: 'It is.', verdict: 'real' });
  const finding = {
    file: 'src/sign-in.ts',
    line: 2,
    quote: "where name = '",
    severity: 'high',
    kind: 'defect',
  };
  return answerIn({ findings: [{ ...finding, claim: 'SQL injection.' }] });
};

verifiesApp(
  'consensus.post',
  'comments are posted with the config’s token, which nobody is shown',
  async () => {
    await using endpoint = await modelEndpoint(findsInjection);
    await using github = await loopbackGitHub({ diff: DIFF });
    await using project = await reviewedOn(github, endpoint.url);
    const { session } = await project.host();
    const { result } = await session.call('pr_review', POST);
    expect(result.structuredContent, JSON.stringify(result)).toMatchObject({ posted: { count: 1 } });
    expect(github.requests.map(({ method, authorization }) => [method, authorization])).toEqual([
      ['GET', `Bearer ${TOKEN}`],
      ['GET', `Bearer ${TOKEN}`],
      ['POST', `Bearer ${TOKEN}`],
    ]);
    await using refusing = await loopbackGitHub({ diff: DIFF, status: 401 });
    await using other = await reviewedOn(refusing, endpoint.url);
    const refused = (await (await other.host()).session.call('pr_review', POST)).result;
    expect(refused._meta['nexus/error']).toMatchObject({ code: 'NEXUS_CONFIG' });
    expect(JSON.stringify(refused)).toContain('Refused for');
    expect(JSON.stringify(refused)).not.toContain(TOKEN);
  },
);

slowlyVerifiesApp('consensus.post', 'comments that may have arrived are not posted twice', async () => {
  await using endpoint = await modelEndpoint(findsInjection);
  await using github = await loopbackGitHub({ diff: DIFF, holdsPosts: true });
  await using project = await reviewedOn(github, endpoint.url);
  const first = await project.host();
  first.session.call('pr_review', POST).catch(() => {});
  const posts = () => github.requests.filter(({ method }) => method === 'POST').length;
  await vi.waitFor(() => expect(posts()).toBe(1), PATIENCE);
  const asked = endpoint.requests.length;
  first.child.kill('SIGKILL');
  await first.exit();
  await project.host();
  const read = rowsOf(project);
  await vi.waitFor(
    async () => expect(await runOf(read, 'consensus.review')).toMatchObject({ status: 'failed' }),
    PATIENCE,
  );
  expect(String((await runOf(read, 'consensus.review'))?.error)).toContain('NEXUS_OUTCOME_UNKNOWN');
  expect(posts()).toBe(1);
  expect(endpoint.requests).toHaveLength(asked);
});

slowlyVerifiesApp(
  'consensus.post',
  'a repository’s config sends no token before its user trusted it',
  async () => {
    await using endpoint = await modelEndpoint(findsInjection);
    await using github = await loopbackGitHub({ diff: DIFF });
    await using project = await reviewedOn(github, endpoint.url, { NEXUS_TRUST: '' });
    const { session } = await project.host();
    const { result } = await session.call('pr_review', POST);
    expect(result._meta['nexus/error']).toMatchObject({ code: 'NEXUS_CONFIG' });
    expect(result.content[0].text).toContain('without a token');
    expect(github.requests).toEqual([]);
    const asked = await runNexus(project, ['trust']);
    expect(asked.stdout).toContain('sets sources');
  },
);

function anthropicAt(url: string): Readonly<Record<string, string>> {
  return { ...NO_MODELS, ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: url };
}
