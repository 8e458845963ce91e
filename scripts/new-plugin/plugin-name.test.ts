import { describe, expect, it } from 'vitest';
import { memoryWorkspace } from '../workspace/memory-workspace.ts';
import { namesFor } from './plugin-name.ts';

const workspace = memoryWorkspace({
  'packages/plugins/memory/package.json': { name: '@nexus/plugin-memory' },
});

describe('namesFor', () => {
  it('spells a name for each place', () => {
    expect(namesFor('release-notes', workspace)).toEqual({
      plugin: 'release-notes',
      package: '@nexus/plugin-release-notes',
      variable: 'releaseNotes',
      tool: 'release_notes_word_count',
      toolVariable: 'releaseNotesWordCount',
      toolFile: 'release-notes-word-count',
      runTool: 'release_notes_survey',
      runVariable: 'releaseNotesSurvey',
      runFile: 'release-notes-survey',
      title: 'Release notes',
    });
  });

  it.each(['', 'Jira', 'release_notes', '-jira', 'jira-', 'a--b', '../up', '2fa', 'x'.repeat(31)])(
    'refuses "%s" with the rule',
    (name) => {
      expect(() => namesFor(name, workspace)).toThrow('The rule: lower-case words');
    },
  );

  it('refuses to overwrite a plugin', () => {
    expect(() => namesFor('memory', workspace)).toThrow('packages/plugins/memory is there already');
  });

  it('refuses the name of Nexus itself', () => {
    expect(() => namesFor('nexus', workspace)).toThrow('Choose another name');
  });
});
