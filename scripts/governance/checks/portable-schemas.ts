import { exampleArguments } from '@nexus/core';
import { wholeInputOf } from '@nexus/core/definitions';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';
import { type ListedTool, listedTools } from '../listed-tools.ts';
import { type SchemaFault, topLevelFaults, unstatedFaults } from '../schema-faults.ts';

const NAME = 'portable-schemas';

export const portableSchemas: Check = {
  name: NAME,
  proves: 'every schema is one flat object that any host accepts, with each input described and limited',
  run({ plugins }) {
    const tools = listedTools(plugins);
    if (tools.length === 0) return lookedAtNothing(NAME, 'tools');
    return tools.flatMap((listed) => [...schemaFindings(listed), ...exampleFindings(listed)]);
  },
};

function schemaFindings({ plugin, tool, listing }: ListedTool): Finding[] {
  const at = (schema: string) => (fault: SchemaFault) => ({
    check: NAME,
    where: `${plugin}: ${listing.name}, ${schema}${fault.path === '' ? '' : ` ${fault.path}`}`,
    what: fault.what,
    fix: fault.fix,
  });
  return [
    ...topLevelFaults(listing.inputSchema).map(at('input')),
    ...unstatedFaults(wholeInputOf(tool)).map(at('input')),
    // A relay lists none.
    ...(listing.outputSchema ? topLevelFaults(listing.outputSchema) : []).map(at('output')),
  ];
}

/** A validation error shows an example; one that does not pass would send its reader in circles. */
function exampleFindings({ plugin, tool, listing }: ListedTool): Finding[] {
  const example = exampleArguments(listing.inputSchema);
  const parsed = tool.input.safeParse(example);
  if (parsed.success) return [];
  const what = `its example ${JSON.stringify(example)} does not pass: ${parsed.error.issues[0]?.message}`;
  const fix = 'give the property, or the input as a whole, examples with .meta({ examples: […] })';
  return [{ check: NAME, where: `${plugin}: ${listing.name}, input`, what, fix }];
}
