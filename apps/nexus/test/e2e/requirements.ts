/** What a requirement is about decides where it is shown. */
export type About =
  /** Messages: on every way in. */
  | 'protocol'
  /** What a tool makes of a call: by one way in, since each carries every call alike, as the messages show. */
  | 'tool'
  /** Text that is no message: on the ways in that take lines. */
  | 'lines'
  /** Processes, commands and the package: once. */
  | 'app';

interface Requirement {
  readonly about: About;
  readonly text: string;
  /** Shown by the slow step alone, since its least form installs what nothing else needs, or is large itself. */
  readonly onlySlow?: true;
}

/** What Nexus promises, each shown by the tests that name it. */
export const requirements = {
  'list.stable': {
    about: 'protocol',
    text: 'tools/list gives every tool on one page, in the same order each time, whatever cursor is sent.',
  },
  'list.whole': {
    about: 'protocol',
    text: 'Each listed tool has a title, a description, object schemas (a relay none for its output) and all hints.',
  },
  'call.structured': {
    about: 'protocol',
    text: 'A result carries structuredContent, and as text the same or what a model reads of it.',
  },
  'call.inline': {
    about: 'protocol',
    text: 'Fields beside empty or missing arguments are the arguments, and the result says so.',
  },
  'call.args': { about: 'protocol', text: 'args stands for arguments where those are empty or missing.' },
  'call.not-an-object': {
    about: 'protocol',
    text: 'arguments, or args that would be used, of any other type than object is -32602 naming the type.',
  },
  'call.repair': {
    about: 'protocol',
    text: 'A stringified value is repaired only when validation would fail, and the result says so.',
  },
  'call.invalid': {
    about: 'protocol',
    text: 'Arguments that do not fit are a tool error that names each path, the keys received and an example.',
  },
  'call.unknown-tool': {
    about: 'protocol',
    text: 'An unknown tool is -32602 naming the nearest ones.',
  },
  'call.internal': {
    about: 'protocol',
    text: 'A defect in a tool is -32603 with a correlation id, without its cause or a stack.',
  },
  'call.large': { about: 'protocol', text: 'Arguments and results of 5 MB arrive whole.' },
  'call.interleaved': {
    about: 'protocol',
    text: 'Calls run side by side, and each answer carries the id of its request.',
  },
  'call.rate': { about: 'protocol', text: 'A session above its rate is told so, and how long to wait.' },
  'call.honest': {
    about: 'app',
    text: 'No limit that holds by default refuses a client that only calls a lot.',
  },
  'config.own': {
    about: 'app',
    text: 'What users forbid in a config of their own holds beside a project’s, and says where it stands.',
  },
  'call.permission': { about: 'protocol', text: 'A tool that the config denies answers NEXUS_DENIED.' },
  'progress.beat': {
    about: 'protocol',
    text: 'A running call with a progress token is reported on at least every 10 s, strictly increasing.',
  },
  'progress.report': {
    about: 'protocol',
    text: 'What a tool reports arrives before its result, strictly increasing, and nothing arrives after.',
  },
  'deadline.fires': {
    about: 'protocol',
    text: 'A call that outlasts its budget ends with NEXUS_TIMEOUT, also when its tool does not listen.',
  },
  'deadline.mismatch': {
    about: 'protocol',
    text: 'A budget over 60 s without a progress token leaves one warning and one row in the event log.',
  },
  'cancel.stops': {
    about: 'protocol',
    text: 'A cancelled call gets no answer, and the processes that it started are gone.',
  },
  'cancel.zero': { about: 'protocol', text: 'A request of id 0 can be cancelled.' },
  'files.inside': {
    about: 'protocol',
    text: 'A path outside the roots is refused: by .., absolute, or through a symlink.',
  },
  'files.readable': {
    about: 'tool',
    text: 'A file that is missing, unreadable, binary or too large is a clear error of its own.',
  },
  'roots.honoured': {
    about: 'protocol',
    text: 'Tools may read the roots that the client names, and follow when they change.',
  },
  'resources.read': {
    about: 'protocol',
    text: 'The project context, the architecture and the masked config can be read.',
  },
  'resources.missing': { about: 'protocol', text: 'A resource that is not there is -32002 with its URI.' },
  'resources.subscribe': {
    about: 'protocol',
    text: 'A subscriber hears of an update, and of none after it unsubscribed.',
  },
  'prompts.get': { about: 'protocol', text: 'The four prompts render with their arguments.' },
  'prompts.complete': { about: 'protocol', text: 'Arguments of prompts are completed.' },
  'logging.level': {
    about: 'protocol',
    text: 'After logging/setLevel the client gets messages from that level up, and none before.',
  },
  'ask.client': {
    about: 'protocol',
    text: 'A tool that asks the client’s model or its user gets their answer.',
  },
  'session.initialize': {
    about: 'protocol',
    text: 'initialize agrees on a version, names the server and its capabilities, and gives instructions.',
  },
  'session.ping': { about: 'protocol', text: 'ping is answered, also while a call runs.' },
  'session.unknown-method': { about: 'protocol', text: 'An unknown method is -32601.' },
  'lines.faulty': {
    about: 'lines',
    text: 'Each faulty line that deserves one gets its JSON-RPC error, and the next good call works.',
  },
  'lines.stdout': {
    about: 'app',
    text: 'Nothing but the protocol reaches stdout, whatever a plugin prints.',
  },
  'end.stdin': {
    about: 'app',
    text: 'At the end of stdin the requests in flight are answered, and the process ends within 5 s with exit code 0.',
  },
  'end.signal': {
    about: 'app',
    text: 'SIGTERM (exit code 0) and SIGINT (130) end the process within 5 s, and no child is left.',
  },
  'sharing.same': {
    about: 'app',
    text: 'What a second process lists is what the first serves, key by key in the same order.',
  },
  'sharing.late-tool': {
    about: 'app',
    text: 'A tool that is registered later reaches every session by list_changed.',
  },
  'sharing.election': {
    about: 'app',
    text: 'Of processes that start at once on a dead server’s socket one serves, and all are served.',
  },
  'sharing.fail-over': {
    about: 'app',
    text: 'When the server dies, each open request is answered once, and none runs twice that must not.',
  },
  'sharing.slow': { about: 'app', text: 'A server that is slow is waited for, and nobody takes its place.' },
  'sharing.apart': { about: 'app', text: 'Two builds, two configs and two projects never meet.' },
  'sharing.runtime-dir': {
    about: 'app',
    text: 'A runtime folder or a token that can’t be trusted is refused with the reason.',
  },
  'sharing.carries': {
    about: 'app',
    text: 'Large results, long calls and what a session had told cross to the server whole.',
  },
  'sharing.end': {
    about: 'app',
    text: 'A process ends with its host, the others go on, and the last leaves no socket and no process.',
  },
  'sharing.light': {
    about: 'app',
    text: 'A process that joins loads nothing of a server until it becomes one.',
  },
  'sharing.bus': {
    about: 'app',
    text: 'Workers on several processes share one bus, and the death of the server loses no task.',
  },
  'sharing.holds': {
    about: 'app',
    text: 'What a session holds ends with it, at whichever server is left; it stays with one that goes on at another.',
  },
  'sharing.lease-holders': {
    about: 'app',
    text: 'A lease is ended by its holder alone, at whichever server, and by the holder’s next session once that says its name.',
  },
  'sharing.inbox': {
    about: 'app',
    text: 'A worker’s inbox is a resource that is updated for its subscribers when a message comes.',
  },
  'governance.hints': {
    about: 'app',
    text: 'The tools of any server are called in a throw-away project, and those that do not keep the word of their hints are named.',
  },
  'audit.trail': {
    about: 'app',
    text: 'Each call that may change something is on the audit trail before it runs and after, and a change of the trail is found and named.',
  },
  'traces.whole': {
    about: 'app',
    text: 'A call is told as spans from the host’s own to those of servers and models, with metrics, by OTLP and as files.',
  },
  'job.async': {
    about: 'protocol',
    text: 'A long tool called with dispatch async answers with a job id; the job can be read, listed and ended.',
  },
  'job.key': {
    about: 'protocol',
    text: 'A call with the idempotency key of an earlier one is answered from its record, or is a conflict.',
  },
  'job.impatient': {
    about: 'app',
    text: 'A call without progress of a client that is known to give up before the tool’s budget goes on as a job, and the client is told so in time.',
  },
  'job.late': {
    about: 'app',
    text: 'A late job ends, whenever its server dies; what may not be made twice is not, and a toolbox’s job finds its tool where that is closed.',
  },
  'task.call': {
    about: 'protocol',
    text: 'A call for a task answers at once, and its result is what the call would have answered.',
  },
  'job.restart': {
    about: 'app',
    text: 'A job outlives its connection and its server, and runs again only where that does no harm.',
  },
  'users.experts': {
    about: 'app',
    text: 'Experts that were created are their user’s own, and nobody subscribes to what they can’t read.',
  },
  'no-project.runs': {
    about: 'app',
    text: 'Started outside of a project, Nexus has no run work on the folder that it was started in.',
  },
  'users.workers': {
    about: 'app',
    text: 'A worker of the task bus is its user’s own: nobody else acts under its name, by a run either.',
  },
  'users.look': {
    about: 'app',
    text: 'Whoever may look and not call lists and reads, and has no tool called, by any way.',
  },
  'job.owner': {
    about: 'app',
    text: 'A user of the issuer sees, reads and ends that user’s jobs alone, and a key finds no other’s.',
  },
  'command.jobs': { about: 'app', text: 'nexus jobs shows the jobs, and with --json as list_jobs does.' },
  'command.logs': {
    about: 'app',
    text: 'nexus logs shows what the servers of the project have logged, by call, run, server and level.',
  },
  'command.uninstall': {
    about: 'app',
    text: 'nexus uninstall shows what is left of a project, asks, and takes it away with the servers that run.',
  },
  'command.uninstall-all': {
    about: 'app',
    text: 'nexus uninstall --all names and ends what runs for every project first, and takes nothing where a process does not end.',
  },
  'command.runs': {
    about: 'app',
    text: 'nexus runs shows a run, draws it, answers its questions, ends it and lets it go on, also where no server runs.',
  },
  'runs.questions': {
    about: 'app',
    text: 'What a run asks reaches the client that waits and whoever runs nexus, and is checked by its schema and subject, through kills.',
  },
  'client.sdk': { about: 'app', text: 'The official SDK’s client lists all tools and calls one.' },
  'client.inspector': {
    about: 'app',
    text: 'The MCP Inspector’s command line lists all tools and calls one.',
  },
  'client.mcporter': { about: 'app', text: 'mcporter lists all tools and calls one.' },
  'client.ai-sdk': { about: 'app', text: 'The AI SDK’s MCP client lists all tools and calls one.' },
  'http.conformance': {
    about: 'app',
    text: 'The official conformance suite’s checks of a server all pass.',
  },
  'http.client': {
    about: 'app',
    text: 'The official SDK’s client calls tools by HTTP, and takes a broken call up again.',
  },
  'http.access': {
    about: 'app',
    text: 'HTTP wants the token of a file that its owner alone reads, or one of the issuer’s.',
  },
  'roots.trust': {
    about: 'app',
    text: 'A client’s roots add to the project only where it runs as the same user; what is Nexus’s own is nobody’s to read.',
  },
  'answers.always': {
    about: 'protocol',
    text: 'Every request is answered, also where what a plugin made can’t be written as JSON.',
  },
  'exits.masked': {
    about: 'app',
    text: 'No secret of the environment, of HTTP or of the socket leaves by logs and last words.',
  },
  'silent.bounded': {
    about: 'app',
    text: 'Connections that say nothing end nothing, and a program that can’t be started is a tool error.',
  },
  'http.address': {
    about: 'app',
    text: 'HTTP listens where it is told, on loopback by default, and elsewhere never without a token.',
  },
  'http.config': {
    about: 'app',
    text: 'The http section of the config opens HTTP and sets its limits.',
  },
  'http.together': {
    about: 'app',
    text: 'One process serves a host by stdio, a second by the socket and a third by HTTP, each apart.',
  },
  'http.drain': {
    about: 'app',
    text: 'SIGTERM lets calls by HTTP finish or answers them, tells new ones to wait, and ends within 5 s.',
  },
  'http.metrics': {
    about: 'app',
    text: 'Metrics count calls by tool and outcome, sessions and memory.',
  },
  'app.lazy': {
    about: 'app',
    text: 'What the build loads when it is first needed does its work there.',
  },
  'answers.whole': {
    about: 'app',
    text: 'No answer of a tool holds broken JSON or is cut without a word, however much there is; lists go on to their end.',
  },
  'answers.digits': {
    about: 'app',
    text: 'JSON that a server answers as text reaches its caller with each number by all of its digits.',
  },
  'toolbox.whole': {
    about: 'protocol',
    text: 'A tool of another server is listed as that server serves it, key by key in the same order.',
  },
  'toolbox.offers': {
    about: 'protocol',
    text: 'Resources, templates and prompts of another server are listed and read as it serves them.',
  },
  'toolbox.result': {
    about: 'protocol',
    text: 'Results and errors of another server arrive as it sent them, called by name or by use_tool.',
  },
  'toolbox.odd-results': {
    about: 'protocol',
    text: 'What a server answers outside of the protocol reaches a direct call untouched, and use_tool, bundle and a workflow as content.',
  },
  'toolbox.cut': {
    about: 'protocol',
    text: 'A result over the limit is cut head and tail, and links to the whole of it, for its session.',
  },
  'toolbox.shapes': {
    about: 'tool',
    text: 'find_tools says what results of a tool looked like so far, after a restart too; no value of them is on record.',
  },
  'toolbox.meta': {
    about: 'protocol',
    text: 'The caller’s _meta, with its trace, reaches the server that answers.',
  },
  'toolbox.progress': {
    about: 'protocol',
    text: 'Every progress report of another server reaches the caller, also one that comes with the result.',
  },
  'toolbox.ask': {
    about: 'protocol',
    text: 'What another server asks of its client is asked of the caller, and the answer reaches it whole.',
  },
  'toolbox.cancel': {
    about: 'protocol',
    text: 'A cancel of the caller reaches the server that works on the call.',
  },
  'toolbox.shared': {
    about: 'app',
    text: 'Sessions share one process of a server, and each sees what it opened itself and no more.',
  },
  'toolbox.environment': {
    about: 'app',
    text: 'Hosts whose environments differ in what the config names get a process each.',
  },
  'toolbox.fail-over': {
    about: 'app',
    text: 'A session’s open toolboxes are open again on the next server, before its next list is answered.',
  },
  'toolbox.contained': {
    about: 'app',
    text: 'A server that fails in any way is named in the error, and the others go on.',
  },
  'run.lifetime': {
    about: 'app',
    text: 'What a run opens is its own: other servers and their tools go when it ends, whoever started it.',
  },
  'toolbox.end': {
    about: 'app',
    text: 'Nothing of a server is left once Nexus has ended, in order or by SIGKILL.',
  },
  'toolbox.pins': {
    about: 'app',
    text: 'A tool whose definition changed is held back until it is accepted.',
  },
  'toolbox.secrets': {
    about: 'app',
    text: 'Values of variables and headers are in no log, no error and no output of nexus config.',
  },
  'toolbox.reload': {
    about: 'app',
    text: 'A changed config is taken over while the server runs, and what did not change stays open.',
  },
  'toolbox.lean': {
    about: 'app',
    text: 'The lean profile lists a few tools in at most 1 500 tokens, and reaches every other one.',
  },
  'toolbox.profile': {
    about: 'app',
    text: 'Which tools are listed without a config is decided by the client: few where its model sees a list that changes, all where not.',
  },
  'toolbox.catalogues': {
    about: 'app',
    text: 'Thousands of real tools are listed with every key as served, under names that hosts accept.',
  },
  'toolbox.conformance': {
    about: 'app',
    text: 'Every check of the conformance suite that a server passes itself passes through Nexus.',
  },
  'toolbox.resume': {
    about: 'tool',
    text: 'An HTTP server may close the stream of a call; its answer is fetched when it is there.',
  },
  'toolbox.updates': {
    about: 'protocol',
    text: 'A subscriber hears of updates of a server’s resource, and of none after it unsubscribed.',
  },
  'config.missing': { about: 'app', text: 'A named config that is not there stops the start with its path.' },
  'config.faults': {
    about: 'app',
    text: 'A bad config stops the start with every fault at once, each with its path and the nearest key.',
  },
  'config.plugins': {
    about: 'app',
    text: 'A plugin that cannot be loaded is named, with the reason and the fix.',
  },
  'command.help': {
    about: 'app',
    text: 'nexus and nexus --help show the commands, and how a host starts it.',
  },
  'command.tools': { about: 'app', text: 'nexus tools lists the tools, and with --json as tools/list does.' },
  'command.call': {
    about: 'app',
    text: 'nexus call takes JSON or key=value, shows progress on stderr, and exits with 1 on a tool error.',
  },
  'command.config': { about: 'app', text: 'nexus config shows what holds, with secrets masked.' },
  'config.variables': {
    about: 'app',
    text: 'Variables in the config are put in at start; each that is missing stops it, with its path and the fix.',
  },
  'config.workbench': {
    about: 'app',
    text: 'A config of MCP Workbench is taken as it is, by the variable that names it there.',
  },
  'command.toolbox': {
    about: 'app',
    text: 'nexus toolbox lists toolboxes, opens one, and tests each server with what is wrong with it.',
  },
  'command.find': { about: 'app', text: 'nexus find shows the tools of toolboxes that fit some words.' },
  'command.pins': {
    about: 'app',
    text: 'nexus pins shows what changed in a tool, and accepts it for the running server at once.',
  },
  'command.reload': {
    about: 'app',
    text: 'nexus reload has the running server take its config over, or says why it does not.',
  },
  'trust.waits': {
    about: 'app',
    text: 'Of a project’s config nothing runs, loads or is sent before its user trusts just that.',
  },
  'trust.told': {
    about: 'app',
    text: 'What waits for trust is named with the way to allow it in instructions, lists, doctor, config and log.',
  },
  'trust.remembered': {
    about: 'app',
    text: 'What was trusted is used at once and until it changes; then only what changed is shown.',
  },
  'trust.own': {
    about: 'app',
    text: 'A config that the user named, or keeps in their own folder, is trusted; NEXUS_TRUST=all trusts every one.',
  },
  'trust.instructions': {
    about: 'app',
    text: 'What a project tells agents is an order to a model only where its user trusts it as it stands, and data else.',
  },
  'trust.asked': {
    about: 'app',
    text: 'A host whose user can be asked is asked once, with what would run, load and be sent.',
  },
  'command.import': {
    about: 'app',
    text: 'nexus import makes a toolbox of a host’s servers, without their secrets, and overwrites nothing unasked.',
  },
  'command.doctor': {
    about: 'app',
    text: 'nexus doctor passes on a sound setup, and fails with the fix on a broken one.',
  },
  'models.host': {
    about: 'protocol',
    text: 'A plugin’s conversation with a model goes to the client’s own by sampling, tools included.',
  },
  'models.older-host': {
    about: 'app',
    text: 'The model of a client of an older revision is asked in messages of one block, as that revision has them.',
  },
  'models.sampling': {
    about: 'app',
    text: 'The official client’s model thinks for a plugin by sampling, with tools.',
  },
  'models.none': {
    about: 'tool',
    text: 'Without any model a tool that needs one says that, and the ways to get one.',
  },
  'models.secret': { about: 'app', text: 'No error and no list shows a model’s key.' },
  'models.end': {
    about: 'app',
    text: 'A model’s command line ends with everything it started, even when Nexus is killed.',
  },
  'chat.example': {
    about: 'app',
    text: 'nexus chat answers by a server’s tool, with the messages that its walkthrough has.',
  },
  'chat.lean': {
    about: 'app',
    text: 'A chat’s requests tell of the tools that read the project, alike each time; all others are found and used by two.',
  },
  'chat.named': {
    about: 'app',
    text: 'An answer in a chat is followed by the files, lines and symbols that it names and that the project has not.',
  },
  'chat.histories': {
    about: 'app',
    text: 'A conversation’s history is one that the provider takes, whatever becomes of its tools.',
  },
  'chat.sessions': {
    about: 'app',
    text: 'A conversation is kept, found again, and carried on with any model.',
  },
  'chat.commands': {
    about: 'app',
    text: 'In a conversation its commands save it, end it, resume it, write it out and change its model.',
  },
  'chat.servers': {
    about: 'app',
    text: 'A conversation has the tools of several servers, and asks the person before a server uses the model.',
  },
  'chat.cap': {
    about: 'app',
    text: 'A conversation stops at its cap, also after it is resumed, and says how to go on.',
  },
  'chat.pipe': { about: 'app', text: 'Piped, a conversation is one question and its answer, in plain text.' },
  'chat.terminal': {
    about: 'app',
    text: 'On a terminal a conversation streams, asks before changes, and survives a cancelled turn.',
  },
  'command.models': {
    about: 'app',
    text: 'nexus models shows what there is, why, and what it costs; --probe asks each.',
  },
  'command.server': {
    about: 'app',
    text: 'nexus serve, status and stop run, show and end the project’s server.',
  },
  'hints.closed-world': {
    about: 'app',
    text: 'Where the process has no network, every tool that says it reaches nothing outside works, and tries nothing.',
  },
  'labels.injections': {
    about: 'app',
    text: 'What is injected by issues, papers and feeds lets no private byte out and writes nothing, by the real tools in a run.',
  },
  'command.research': {
    about: 'app',
    text: 'nexus research keeps, lists, searches and reviews; nexus feeds fetches what vendors publish; nexus doctor says what each source lets be asked.',
  },
  'command.bus': {
    about: 'app',
    text: 'nexus workers, nexus tasks and nexus inbox show the bus, what needs somebody first, live on a terminal and as JSON.',
  },
  'command.guard': {
    about: 'app',
    text: 'nexus guard keeps commits off files that another worker has reserved, and touches no hook of the user’s.',
  },
  'command.init': {
    about: 'app',
    text: 'nexus init writes a config that works, overwrites none, and prints what to paste.',
  },
  'command.terminal': {
    about: 'app',
    text: 'On a terminal --mode=server says what it is, how many tools it has, and what to paste.',
  },
  'command.not-built': { about: 'app', text: 'The command says how to build it when it is not built.' },
  'boot.undone': {
    about: 'app',
    text: 'A start that fails ends what it had begun, and the process with it.',
  },
  'stop.whole': {
    about: 'app',
    text: 'A plugin that fails at its stop keeps neither the other plugins nor the store from closing.',
  },
  'store.projects': {
    about: 'app',
    text: 'Two projects on one database see nothing of each other; one project on two machines sees itself.',
  },
  'store.clock': { about: 'app', text: 'What expires does so by the database’s clock, on every machine.' },
  'store.lost': {
    about: 'app',
    text: 'A database that is taken away under a running server is told of within seconds, and nothing is written to it any more.',
  },
  'store.connection': {
    about: 'app',
    text: 'A connection to the database that breaks costs the calls in flight a retryable error, and no server.',
  },
  'package.installs': { about: 'app', text: 'The packed app installs in an empty folder and runs there.' },
  'package.readme': { about: 'app', text: 'The host config of the README works as pasted.' },
  'package.plugin': {
    about: 'app',
    onlySlow: true,
    text: 'A plugin from outside the workspace, installed beside the app, loads and answers a call.',
  },
  'node.newest': {
    about: 'app',
    onlySlow: true,
    text: 'The app lists its tools and answers a call under the newest Node.js.',
  },
  'experts.orchestrate': {
    about: 'app',
    text: 'orchestrate plans, works side by side, sends back what fails its review, and answers with what it cost.',
  },
  'experts.host': { about: 'app', text: 'Experts think by the connected client’s model where it lends it.' },
  'experts.none': {
    about: 'tool',
    text: 'Without a model each tool that needs one says which ways there are to get one; the others work.',
  },
  'experts.rubbish': {
    about: 'tool',
    text: 'A model that makes no plan is told once, and then it is an error.',
  },
  'experts.refusal': { about: 'tool', text: 'A model that refuses to plan is an error that says so.' },
  'experts.kill': {
    about: 'app',
    text: 'Experts whose server is killed go on at the next, and no finished model or tool call is made again.',
  },
  'experts.trace': {
    about: 'app',
    text: 'A recommendation of a model asks none, and leaves no row in the database.',
  },
  'experts.resource': {
    about: 'tool',
    text: 'nexus://experts tells who there is, and when one is created.',
  },
  'experts.cancel': {
    about: 'tool',
    text: 'A cancelled orchestration ends its experts, and what they ask of models.',
  },
  'runs.cancel': {
    about: 'app',
    text: 'A run that is cancelled ends what its step is in the middle of: a model’s answer, a program, a call of another server.',
  },
  'experts.deadline': {
    about: 'tool',
    text: 'An orchestration out of time is an error, with nothing of it left running.',
  },
  'experts.budget': {
    about: 'app',
    text: 'An orchestration at its cap pauses, and goes on with a higher one.',
  },
  'experts.data': {
    about: 'tool',
    text: 'What experts read gives them no orders, and they call no tool that writes unless the config allows it.',
  },
  'experts.nested': {
    about: 'tool',
    text: 'What an expert’s tool starts belongs to the expert’s run, and ends with it; no client can put its own there.',
  },
  'experts.import': {
    about: 'tool',
    text: 'registry_import drafts a model by its provider’s own list, writes nothing, and says when it can’t ask.',
  },
  'pipelines.kill': {
    about: 'app',
    text: 'A pipeline whose server is killed goes on at the next, and no finished model call is made again.',
  },
  'pipelines.left': {
    about: 'app',
    text: 'What a pipeline that was cut off left under the data directory goes at the next start of a process.',
  },
  'pipelines.dev': {
    about: 'app',
    text: 'A dev pipeline changes code on a branch, by allowed commands, and never the user’s own tree.',
  },
  'pipelines.spec': {
    about: 'app',
    text: 'A specification is taken apart, done by experts and judged, each verdict on what was looked up.',
  },
  'pipelines.sizes': {
    about: 'app',
    onlySlow: true,
    text: 'Answers with 50 kB of reports lose nothing silently, in text and structure, within the limits of three hosts.',
  },
  'pipelines.stages': {
    about: 'app',
    text: 'A pipeline’s template is chosen and explained, and its stages are done as a graph that can be seen.',
  },
  'consensus.vote': {
    about: 'tool',
    text: 'consensus_vote asks each voter with a stake, blind, over the distinct models, and says what its ballots are worth.',
  },
  'consensus.kill': {
    about: 'app',
    text: 'A vote whose server is killed is ended by the next, and nobody who has voted is asked again.',
  },
  'consensus.panel': {
    about: 'app',
    text: 'A panel judges a proposal by each axis, and counts each by itself.',
  },
  'consensus.review': {
    about: 'app',
    text: 'pr_review keeps findings that stand in the diff and hold against what the project’s own tools know.',
  },
  'consensus.post': {
    about: 'app',
    text: 'A review posts only when asked, with a token that waits for trust and is shown to nobody.',
  },
  'command.votes': {
    about: 'app',
    text: 'nexus votes lists votes, and tells how one turned out, by which voters are weighed.',
  },
  'workflows.run': {
    about: 'tool',
    text: 'A workflow runs experts and tools side by side, each with what it needs; usage and requests are true.',
  },
  'workflows.kill': {
    about: 'app',
    text: 'A server that is killed in a workflow or a graph is followed by one that repeats no finished model call.',
  },
  'workflows.within': {
    about: 'app',
    text: 'A workflow that goes on goes on with those within it: nothing is done twice unawares, and one text tells.',
  },
  'workflows.wait': {
    about: 'app',
    text: 'A workflow waits for a person, a time, a message and a task of the bus, whatever becomes of servers meanwhile.',
  },
  'workflows.schedule': {
    about: 'app',
    text: 'A workflow with a schedule is run at its times by whichever server is up, once its user trusts the file.',
  },
  'workflows.store-away': {
    about: 'app',
    onlySlow: true,
    text: 'No step of a workflow fails, or does its work twice, because the database is restarted under its tools.',
  },
  'workflows.plain': {
    about: 'tool',
    text: 'Lists, dry runs and workflows of tool steps work without any model, as a shipped one does here.',
  },
  'workflows.toolbox': {
    about: 'tool',
    text: 'A step has a tool of a toolbox that nobody opened, each time, and the caller’s list stays as it is.',
  },
  'workflows.toolbox-kill': {
    about: 'app',
    text: 'A toolbox’s tool that only reads is called again by the server that goes on; one that writes never is.',
  },
  'workflows.named': {
    about: 'tool',
    text: 'What a workflow or pipeline asks of another plugin by name is held to the names that plugin says there are.',
  },
  'workflows.denied': {
    about: 'tool',
    text: 'A step calls no tool that its caller may not call.',
  },
  'sources.pages': {
    about: 'app',
    text: 'The pages on research, GitHub and feeds are executed: their commands do what they say, and their pieces of a config hold.',
  },
  'docs.blocks': {
    about: 'app',
    text: 'Each block of shell and JSON in the README and the docs is run, or says on its page why it is not; each page says for whom it is.',
  },
  'workflows.page': {
    about: 'app',
    text: 'The page that teaches workflows is executed: its files are sound and its commands do what it says.',
  },
  'state.private': {
    about: 'app',
    text: 'What Nexus keeps is its user’s alone after each start, whatever the umask and the modes before, or the start is refused.',
  },
  'command.run.workflow': {
    about: 'app',
    text: 'nexus run takes workflows by name or file, asks for what is missing, checks files, and tells words apart.',
  },
  'command.run': {
    about: 'app',
    text: 'nexus run shows the steps of a tool live, and after Ctrl-C says how to go on.',
  },
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof requirements;
