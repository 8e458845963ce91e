import { text, tool } from './tool.mjs';

/** A list that grows and shrinks while it is served; each change is told by `tools/list_changed`. */
export function changingTools(_switches, { wire, tools }) {
  const added = () =>
    tool({ name: 'added', description: 'Was not there before.', call: () => text('here now') });
  return [
    tool({
      name: 'change_list',
      description: 'Adds the tool `added`, or takes it away again.',
      call() {
        const at = tools.findIndex(({ name }) => name === 'added');
        if (at === -1) tools.push(added());
        else tools.splice(at, 1);
        wire.notify('notifications/tools/list_changed');
        return text(at === -1 ? 'added' : 'removed');
      },
    }),
  ];
}
