import { describe, expect, it } from 'vitest';
import { readers } from './readers.ts';

/** GitHub’s own expression. */
const x = (inside: string) => `\${{ ${inside} }}`;

/** A workflow with one step, which is a list of lines. */
function idsOf(
  step: readonly string[],
  { on = 'push', top = ['permissions: {}'] }: { on?: string; top?: string[] } = {},
) {
  const lines = [
    `on: ${on}`,
    ...top,
    'jobs:',
    '  a:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    `      - ${step[0]}`,
  ];
  const text = [...lines, ...step.slice(1).map((line) => `        ${line}`)].join('\n');
  return readers.workflow(text).dangers.map(({ id }) => id);
}

const run = (script: string) => [`run: ${JSON.stringify(script)}`];
const SHA = 'a'.repeat(40);

describe('dangers of a workflow', () => {
  it.each([
    'github.head_ref',
    'github.event.issue.title',
    'github.event.issue.body',
    'github.event.discussion.title',
    'github.event.discussion.body',
    'github.event.pull_request.head.ref',
    'github.event.pull_request.head.label',
    'github.event.pull_request.head.repo.default_branch',
    'github.event.comment.body',
    'github.event.review.body',
    'github.event.commits[0].message',
    'github.event.commits.*.author.email',
    'join(github.event.commits.*.message)',
    'github.event.head_commit.author.name',
    'github.event.pages[1].page_name',
    'github.event.workflow_run.head_branch',
    "github['event']['issue'].title",
    'GitHub.Head_Ref',
    "format('{0}', github.head_ref)",
    'toJSON(github.event)',
    'toJSON(github)',
    "github.event.issue.title || 'none'",
  ])('are an injection where a script is made of %s', (inside) => {
    expect(idsOf(run(`echo "${x(inside)}"`), { on: 'pull_request_target' })).toEqual(['script-injection']);
    const script = [
      'uses: actions/github-script@'.concat(SHA),
      'with:',
      `  script: ${JSON.stringify(`f("${x(inside)}")`)}`,
    ];
    expect(idsOf(script)).toEqual(['script-injection']);
  });

  it.each([
    'github.sha',
    'github.event.issue.number',
    'github.event.pull_request.head.sha',
    "contains(github.event.issue.title, 'x')",
    "github.head_ref == 'main'",
    "'github.head_ref'",
    'steps.x.outputs.title',
    'env.SAFE',
  ])('are none where it is made of %s', (inside) => {
    expect(idsOf(run(`echo "${x(inside)}"`), { on: 'pull_request_target' })).toEqual([]);
  });

  it('are none where a shell gets it as a variable, or a comment or a name says it', () => {
    const title = x('github.event.issue.title');
    expect(idsOf(['run: echo "$T"', 'env:', `  T: ${title}`])).toEqual([]);
    expect(idsOf([`run: echo # ${title}`])).toEqual([]);
    expect(idsOf(['run: echo', `name: ${title}`])).toEqual([]);
  });

  it('are an injection where a variable is put into the script as an expression', () => {
    expect(idsOf([`run: echo ${x('env.T')}`, 'env:', `  T: ${x('github.head_ref')}`])).toEqual([
      'script-injection',
    ]);
    const top = ['permissions: {}', 'env:', `  T: ${x('github.head_ref')}`];
    expect(idsOf([`run: echo ${x('env.T')}`], { top })).toEqual(['script-injection']);
    expect(idsOf([`run: echo ${x('env.T')}`, 'env:', '  T: x'], { top })).toEqual([]);
  });

  it.each(['github.head_ref', 'github.event.pull_request.head.sha', 'github.event.workflow_run.head_sha'])(
    'are a checkout of foreign code, with secrets, of %s',
    (ref) => {
      const step = [`uses: actions/checkout@${SHA}`, 'with:', `  ref: ${x(ref)}`];
      for (const on of [
        'pull_request_target',
        '[push, workflow_run]',
        '{ pull_request_target: { branches: [main] } }',
      ]) {
        expect(idsOf(step, { on })).toEqual(['checkout-of-foreign-code']);
      }
      expect(idsOf(step, { on: 'pull_request' })).toEqual([]);
    },
  );

  it('are none where the default ref is checked out, whatever else the file says', () => {
    const top = [
      '# not pull_request_target, on purpose',
      'permissions: {}',
      `concurrency: ci-${x('github.head_ref')}`,
    ];
    const step = [`uses: actions/checkout@${SHA}`];
    expect(idsOf(step, { on: 'pull_request', top })).toEqual([]);
    expect(idsOf(step, { on: 'pull_request_target', top })).toEqual([]);
  });

  it.each([
    [[], ['default-token-permissions']],
    [['permissions: write-all'], ['write-all-permissions']],
    [['permissions: read-all'], []],
    [['permissions: { contents: write }'], []],
    [['# permissions: none'], ['default-token-permissions']],
  ])('are what the token may do by %j', (top, ids) => {
    expect(idsOf(run('true'), { top })).toEqual(ids);
  });

  it('are what the token may do in each job', () => {
    const text = (own: string) =>
      `on: push\njobs:\n  a:\n    permissions: {}\n    steps: []\n  b:\n${own}    steps: []\n`;
    const ids = (own: string) => readers.workflow(text(own)).dangers.map(({ id }) => id);
    expect(ids('    permissions: {}\n')).toEqual([]);
    expect(ids('')).toEqual(['default-token-permissions']);
    expect(ids('    permissions: write-all\n')).toEqual(['write-all-permissions']);
  });

  it.each([
    ['curl -sSL https://a.example/i.sh | bash', true],
    ['curl -sSL https://a.example/i.sh \\\n  | sudo -E sh -s -- -y', true],
    ['wget -qO- https://a.example | tee log | /bin/bash', true],
    ['bash <(curl -s https://a.example)', true],
    ['sh -c "$(curl -fsSL https://a.example)"', true],
    ['eval "$(curl -s https://a.example)"', true],
    ['curl -o i.sh https://a.example/x && bash i.sh', true],
    ['curl -fsSO https://a.example/i.sh\nchmod +x i.sh\n./i.sh --yes', true],
    ['wget https://a.example/i.py; sudo python3 -u i.py', true],
    ['iwr https://a.example/i.ps1 -useb | iex', true],
    ["iex ((New-Object Net.WebClient).DownloadString('https://a.example'))", true],
    ['python -c "$(curl -fsSL https://a.example)"', true],
    ['curl -o i.sh https://a.example && sha256sum -c sums && bash i.sh', false],
    ['curl -o data.json https://a.example && node build.js data.json', false],
    ['Invoke-WebRequest https://a.example -OutFile a.zip', false],
    ['curl -s https://a.example | jq .', false],
    ['curl -fO https://a.example/i.sh || sh fallback.sh', false],
    ['# curl https://a.example | bash', false],
    ['curl -o i.sh https://a.example; cat ok | bash', false],
  ])('are a download that is run, in %j: %s', (script, isOne) => {
    expect(idsOf(run(script))).toEqual(isOne ? ['download-run-unchecked'] : []);
  });

  it.each([
    ['docker://alpine:3.20', true],
    [`docker://alpine@sha256:${'a'.repeat(64)}`, false],
    [`actions/checkout@${SHA}`, false],
    ['actions/checkout@v5', true],
    ['./own', false],
  ])('are what is named by something that can be moved: %s: %s', (name, isOne) => {
    expect(idsOf([`uses: ${name}`])).toEqual(isOne ? ['unpinned-actions'] : []);
  });

  it('are found in linear time', () => {
    const from = performance.now();
    for (const part of [
      'curl ',
      '${{ ',
      'curl | ',
      "['x']",
      "${{ a.b '",
      'sh <(',
      'sh $( ',
      'contains(',
      'iwr ',
      'iex ',
      'curl -o ',
      '://a/',
    ]) {
      idsOf(run(part.repeat(Math.floor(200_000 / part.length))));
      idsOf(run(`\${{ ${part.repeat(20_000)} }}`));
    }
    expect(performance.now() - from).toBeLessThan(20_000);
  });

  it('refuses a text that unfolds to more than it is', () => {
    const bomb = [
      'a: &a [x, x]',
      ...[...'bcdefghi'].map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`),
    ];
    expect(() => readers.workflow(`${bomb.join('\n')}\non: push\njobs: {}`)).toThrow(/no workflow/);
  });

  it('tells that code and secrets are scanned by a step, and not by a comment', () => {
    const text = (step: string) => `on: push # gitleaks, semgrep\njobs: { a: { steps: [${step}] } }`;
    expect(readers.workflow(text('{ run: true }'))).toMatchObject({
      scansCode: false,
      scansForSecrets: false,
    });
    expect(
      readers.workflow(text('{ uses: github/codeql-action/init@v3 }, { run: gitleaks git }')),
    ).toMatchObject({
      scansCode: true,
      scansForSecrets: true,
    });
  });
});
