import { connect, listTools } from '../client/connect.ts';
import { type Command, configOption, jsonOption, text, verboseOption } from './command.ts';

export const tools: Command = {
  usage: 'tools [name]',
  summary: 'list the tools, or show one with its schema',
  options: [jsonOption, configOption, verboseOption],
  examples: ['tools', 'tools search_codebase', 'tools --json'],
  async run([name], options) {
    await using connection = await connect({
      config: text(options, 'config'),
      verbose: options.verbose === true,
    });
    const all = await listTools(connection);
    const shown = name === undefined ? all : all.filter((tool) => tool.name === name);
    if (shown.length === 0) {
      process.stderr.write(`nexus: no tool ${String(name)}; \`nexus tools\` lists them\n`);
      return 1;
    }
    if (options.json)
      process.stdout.write(`${JSON.stringify(name === undefined ? shown : shown[0], null, 2)}\n`);
    else if (name !== undefined) {
      process.stdout.write(`${JSON.stringify(shown[0], null, 2)}\n`);
    } else {
      const width = Math.max(...shown.map((tool) => tool.name.length));
      for (const tool of shown) process.stdout.write(`${tool.name.padEnd(width)}  ${tool.title ?? ''}\n`);
      process.stdout.write(`\n${shown.length} tools. \`nexus tools <name>\` shows one whole.\n`);
    }
    return 0;
  },
};
