import { HINT_NAMES, hintFaults } from '@nexus/core';
import { annotationTaxonomy } from '../annotation-taxonomy.ts';
import { type Check, lookedAtNothing } from '../check.ts';
import { listedTools } from '../listed-tools.ts';

const NAME = 'tool-annotations';

export const toolAnnotations: Check = {
  name: NAME,
  proves: 'every tool states four hints that fit together, and those of the taxonomy where it has the name',
  run({ plugins }) {
    const tools = listedTools(plugins);
    if (tools.length === 0) return lookedAtNothing(NAME, 'tools');
    return tools.flatMap(({ plugin, tool }) => {
      const where = `${plugin}: ${tool.name}`;
      const unsound = hintFaults(tool.annotations).map((what) => ({
        check: NAME,
        where,
        what,
        fix: 'state hints that the body keeps',
      }));
      const promised = annotationTaxonomy.get(tool.name);
      if (!promised) return unsound;
      const differing = HINT_NAMES.filter((hint) => promised[hint] !== tool.annotations[hint]);
      const broken = differing.map((hint) => ({
        check: NAME,
        where,
        what: `${hint} is ${tool.annotations[hint]}, and ${promised[hint]} in the taxonomy`,
        fix: `set ${hint}: ${promised[hint]}, or give the tool another name`,
      }));
      return [...unsound, ...broken];
    });
  },
};
