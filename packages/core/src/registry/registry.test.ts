import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { fixtureTool, READ_ONLY } from '../../test/fixture-tools.ts';
import { scopeOf } from '../../test/scope-of.ts';
import { createSessionScope } from '../session/session-scope.ts';
import { RegistrationError } from './registration-error.ts';
import { createRegistry } from './registry.ts';

const named = (name: string) => fixtureTool({ name });
const names = (tools: readonly { name: string }[]) => tools.map((tool) => tool.name);

describe('the registry', () => {
  it('lists by name, whatever the order of registration', () => {
    const registry = createRegistry();
    for (const name of ['b_tool', 'a', 'c', 'b']) registry.register(named(name));
    expect(names(registry.list())).toEqual(['a', 'b', 'b_tool', 'c']);
  });

  it('gives what was registered, until it is unregistered', () => {
    const registry = createRegistry();
    const tool = named('a');
    registry.register(tool);
    expect(registry.get('a')).toBe(tool);
    expect(registry.unregister('a')).toBe(true);
    expect(registry.get('a')).toBeUndefined();
    expect(registry.unregister('a')).toBe(false);
  });

  it.each([
    ['a second tool of a name', named('a'), 'plugin "fixtures" has a tool of that name already; rename one'],
    ['a bad name', named('Bad-Name'), 'its name must match ^[a-z][a-z0-9_]{0,47}$; rename it'],
    ['a name that is too long', named('a'.repeat(49)), 'its name must match'],
    ['a missing hint', fixtureTool({ name: 'b', annotations: {} as never }), 'annotations lack readOnlyHint'],
    [
      'a contradiction',
      fixtureTool({ name: 'b', annotations: { ...READ_ONLY, destructiveHint: true } }),
      'a tool that only reads destroys nothing',
    ],
    [
      'a schema that JSON Schema can’t state',
      fixtureTool({ name: 'b', input: z.object({ since: z.date() }) }),
      'its schemas can’t be stated as JSON Schema (Date cannot be represented',
    ],
  ])('refuses %s with the plugin, the tool and the fix', (_, tool, fix) => {
    const registry = createRegistry();
    registry.register(named('a'));
    const register = () => registry.register(tool);
    expect(register).toThrow(RegistrationError);
    expect(register).toThrow(`plugin "fixtures", tool "${tool.name}": `);
    expect(register).toThrow(fix);
    expect(names(registry.list())).toEqual(['a']);
  });
});

it('lists of the shared tools those it is told to, and finds the others all the same', () => {
  const registry = createRegistry({ listsShared: ({ name }) => name === 'shown' });
  registry.register(named('shown'));
  registry.register(named('hidden'));
  registry.setForSession(scopeOf('one'), 'box', [named('own')]);
  expect(names(registry.listed(scopeOf('one')))).toEqual(['own', 'shown']);
  expect(names(registry.list())).toEqual(['hidden', 'shown']);
  expect(registry.get('hidden', scopeOf('one'))).toBeDefined();
});

describe('a tool of one session', () => {
  it('is seen by that session only, and gone with it', async () => {
    const registry = createRegistry();
    registry.register(named('shared'));
    registry.setForSession(scopeOf('one'), 'box', [named('box__server__Tool')]);
    expect(names(registry.list(scopeOf('one')))).toEqual(['box__server__Tool', 'shared']);
    expect(names(registry.list(scopeOf('two')))).toEqual(['shared']);
    expect(names(registry.list())).toEqual(['shared']);
    expect(registry.get('box__server__Tool', scopeOf('one'))).toBeDefined();
    expect(registry.get('box__server__Tool', scopeOf('two'))).toBeUndefined();
    const one = scopeOf('one');
    await one.end();
    expect(names(registry.list(one))).toEqual(['shared']);
    expect(registry.setForSession(one, 'box', [named('late')])).toEqual([]);
    expect(names(registry.list(one))).toEqual(['shared']);
  });

  it('is seen by who works for the session, and what that one has is its alone', async () => {
    const registry = createRegistry();
    const session = scopeOf('session');
    const run = createSessionScope({ id: 'session', outer: () => session });
    const [sessions, runs] = [named('both'), named('both')];
    registry.setForSession(session, 'box', [sessions, named('outer')]);
    expect(registry.setForSession(run, 'box', [runs, named('inner')])).toEqual([]);
    expect(names(registry.list(run))).toEqual(['both', 'inner', 'outer']);
    expect(registry.get('both', run)).toBe(runs);
    expect(names(registry.list(session))).toEqual(['both', 'outer']);
    expect(registry.get('both', session)).toBe(sessions);
    await run.end();
    expect(names(registry.list(session))).toEqual(['both', 'outer']);
    await session.end();
    expect(names(registry.list(run))).toEqual([]);
  });

  it('may not take a name that its session sees already', () => {
    const registry = createRegistry();
    registry.register(named('shared'));
    const [own, again] = [named('own'), named('own')];
    const shared = named('shared');
    expect(registry.setForSession(scopeOf('one'), 'box', [own, again, shared])).toEqual([again, shared]);
    expect(registry.setForSession(scopeOf('one'), 'another', [named('own')])).toHaveLength(1);
    expect(registry.get('own', scopeOf('one'))).toBe(own);
    expect(registry.setForSession(scopeOf('two'), 'box', [named('own')])).toEqual([]);
  });

  it('goes when its source sets others, and leaves those of other sources', () => {
    const registry = createRegistry();
    registry.setForSession(scopeOf('one'), 'box', [named('a'), named('b')]);
    registry.setForSession(scopeOf('one'), 'another', [named('c')]);
    registry.setForSession(scopeOf('one'), 'box', [named('b'), named('d')]);
    expect(names(registry.list(scopeOf('one')))).toEqual(['b', 'c', 'd']);
    registry.setForSession(scopeOf('one'), 'box', []);
    expect(names(registry.list(scopeOf('one')))).toEqual(['c']);
  });

  it('can be called and is not listed where it says so, and its list has not changed then', () => {
    const registry = createRegistry();
    const listener = vi.fn();
    registry.onChange(listener);
    registry.setForSession(scopeOf('one'), 'box', [{ ...named('hidden'), isListed: false }]);
    expect(names(registry.list(scopeOf('one')))).toEqual(['hidden']);
    expect(registry.listed(scopeOf('one'))).toEqual([]);
    expect(listener).not.toHaveBeenCalled();
    registry.setForSession(scopeOf('one'), 'box', [named('hidden')]);
    expect(names(registry.listed(scopeOf('one')))).toEqual(['hidden']);
    expect(listener.mock.calls).toEqual([[scopeOf('one')]]);
  });

  it('is listed to who has a model where it needs one, and callable by all', () => {
    const registry = createRegistry();
    registry.register({ ...named('judge'), needsModel: true });
    const listener = vi.fn();
    registry.onChange(listener);
    expect(names(registry.listed(undefined, false))).toEqual([]);
    expect(names(registry.listed())).toEqual(['judge']);
    expect(names(registry.list())).toEqual(['judge']);
    registry.relist();
    expect(listener).toHaveBeenCalledOnce();
  });

  it('is listed once when a shared tool comes to bear its name, and the shared one answers', () => {
    const registry = createRegistry();
    registry.setForSession(scopeOf('one'), 'box', [named('late')]);
    const shared = named('late');
    registry.register(shared);
    expect(registry.list(scopeOf('one'))).toEqual([shared]);
    expect(registry.get('late', scopeOf('one'))).toBe(shared);
  });
});

describe('a change', () => {
  it('is told with the session it concerns, or with none when it concerns all', () => {
    const registry = createRegistry();
    const listener = vi.fn();
    const stop = registry.onChange(listener);
    registry.register(named('a'));
    registry.setForSession(scopeOf('one'), 'box', [named('b')]);
    registry.unregister('a');
    registry.unregister('a');
    expect(listener.mock.calls).toEqual([[undefined], [scopeOf('one')], [undefined]]);
    stop();
    registry.register(named('c'));
    expect(listener).toHaveBeenCalledTimes(3);
  });
});

it('lists and finds no tool that may not be called, and has it, so that its call is told why', () => {
  const registry = createRegistry({ refusal: ({ name }) => (name.startsWith('no_') ? 'no' : undefined) });
  registry.register(fixtureTool({ name: 'yes' }));
  registry.register(fixtureTool({ name: 'no_way' }));
  registry.setForSession(scopeOf('one'), 'box', [fixtureTool({ name: 'no_box' })]);
  expect(names(registry.list(scopeOf('one')))).toEqual(['yes']);
  expect(names(registry.listed(scopeOf('one')))).toEqual(['yes']);
  expect(registry.inSight('yes', scopeOf('one'))?.name).toBe('yes');
  expect(registry.inSight('no_way', scopeOf('one'))).toBeUndefined();
  expect(registry.inSight('no_box', scopeOf('one'))).toBeUndefined();
  expect(registry.get('no_way')?.name).toBe('no_way');
});
