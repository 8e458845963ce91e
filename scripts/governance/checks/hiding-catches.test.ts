import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../workspace/open-workspace.ts';
import { fixtureSubject } from '../fixture-subject.ts';
import { hidingCatches } from './hiding-catches.ts';

const FILE = 'packages/plugins/bus/src/compare.ts';

async function findings(text: string) {
  const found = await hidingCatches.run(fixtureSubject({ files: { [FILE]: text } }));
  return found.map(({ where, what }) => [where, what]);
}

describe('hiding-catches', () => {
  it.each([
    "import picomatch from 'picomatch';\ntry { picomatch.scan(glob); } catch (error) { if (!isTooLong(error)) throw error; }",
    "import { parse } from 'node:path';\ntry { parse(text); } catch { none(); }",
    "import { read } from '@nexus/store';\ntry { read(text); } catch { none(); }",
    "import type { Parser } from 'yaml';\ntry { JSON.parse(text); } catch { none(); }",
    "import { parse } from 'yaml';\nconst all = parse(text); try { JSON.parse(text); } catch { none(); }",
    "try { await import('./own.ts'); } catch { none(); }",
    "import { load } from 'yaml';\nload(text).catch((error) => { if (!isOurs(error)) throw error; });",
    "import { load } from 'yaml';\nstat(load).catch(() => undefined); load(text).then(() => read());",
    "import { stat } from 'node:fs/promises';\nstat(path).catch(() => undefined);",
  ])('finds nothing in %s', async (text) => {
    expect(await findings(text)).toEqual([]);
  });

  it.each([
    ["import picomatch from 'picomatch';\ntry { picomatch.scan(glob); } catch { none(); }", 'picomatch'],
    ["import { NFA } from 'refa';\ntry { all.push(new NFA(a)); } catch { none(); }", 'NFA'],
    [
      "const { NFA: Automaton } = await import('refa');\ntry { Automaton.from(a); } catch { none(); }",
      'Automaton',
    ],
    ["\ntry { await import('refa'); } catch { none(); }", 'import refa'],
    ["import { load } from 'yaml';\nawait load(text).catch(() => undefined);", 'load'],
    ["import { load } from 'yaml';\nload(text).then(read).catch(function () {});", 'load'],
    ["import { load } from 'yaml';\nload(text).then(read, () => none());", 'load'],
    ["\nawait import('refa').catch(() => undefined);", 'import refa'],
  ])('finds what hides a broken dependency in %s', async (text, name) => {
    expect(await findings(text)).toEqual([[`${FILE}:2`, `hides whatever goes wrong in ${name}`]]);
  });

  it('finds nothing in the repository', async () => {
    expect(await hidingCatches.run({ ...fixtureSubject(), workspace: openWorkspace() })).toEqual([]);
  });
});
