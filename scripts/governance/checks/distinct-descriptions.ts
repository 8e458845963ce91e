import { type Check, type Finding, lookedAtNothing } from '../check.ts';
import { type ListedTool, listedTools } from '../listed-tools.ts';
import { wordSimilarity } from '../similarity.ts';

const NAME = 'distinct-descriptions';
/** Above this, a model can't tell from the texts which of two tools it should call. */
const MAX_SIMILARITY = 0.6;
/** A description says when to use the tool, what it gives back and what it does not do; briefly. */
const DESCRIPTION_CHARACTERS = { min: 40, max: 1000 };
const MAX_TITLE_CHARACTERS = 60;

export const distinctDescriptions: Check = {
  name: NAME,
  proves:
    'a model can tell the tools apart by their titles and descriptions, which are neither bare nor long',
  run({ plugins }) {
    const tools = listedTools(plugins);
    if (tools.length === 0) return lookedAtNothing(NAME, 'tools');
    return [...tools.flatMap(lengthFindings), ...pairs(tools).flatMap(pairFindings)];
  },
};

function lengthFindings({ plugin, tool }: ListedTool): Finding[] {
  const { min, max } = DESCRIPTION_CHARACTERS;
  const { length } = tool.description;
  const where = `${plugin}: ${tool.name}`;
  const findings: Finding[] = [];
  if (length < min || length > max) {
    const what = `its description has ${length} characters; allowed are ${min} to ${max}`;
    findings.push({
      check: NAME,
      where,
      what,
      fix: 'say when to use it, what it answers, what it does not do',
    });
  }
  if (tool.title.length > MAX_TITLE_CHARACTERS) {
    const what = `its title has ${tool.title.length} characters; allowed are ${MAX_TITLE_CHARACTERS}`;
    findings.push({ check: NAME, where, what, fix: 'name the tool in a few words' });
  }
  return findings;
}

function pairFindings([first, second]: readonly [ListedTool, ListedTool]): Finding[] {
  const where = `${first.plugin}: ${first.tool.name}, ${second.plugin}: ${second.tool.name}`;
  const fix = 'say in each what the other does not do, or make them one tool';
  const findings: Finding[] = [];
  if (first.tool.title.toLowerCase() === second.tool.title.toLowerCase()) {
    findings.push({ check: NAME, where, what: `both have the title "${first.tool.title}"`, fix });
  }
  const similarity = wordSimilarity(first.tool.description, second.tool.description);
  if (similarity > MAX_SIMILARITY) {
    const what = `their descriptions share ${Math.round(similarity * 100)} % of their words`;
    findings.push({ check: NAME, where, what, fix });
  }
  return findings;
}

function pairs<Item>(items: readonly Item[]): (readonly [Item, Item])[] {
  return items.flatMap((first, index) => items.slice(index + 1).map((second) => [first, second] as const));
}
