/** The commands by name. What a command imports is loaded when it is asked for, so that help is quick. */
import type { Command } from 'commander';

interface ListedCommand {
  readonly description: string;
  readonly load: () => Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  run: {
    description: 'Run an experiment and write its results, figures and report.',
    load: async () => (await import('./commands/run.ts')).runCommand(),
  },
  merge: {
    description: 'Join the journals of shards into the files that a single run would have written.',
    load: async () => (await import('./commands/merge.ts')).mergeCommand(),
  },
  work: {
    description: 'Do the tasks that runs put into a queue, on this machine or another.',
    load: async () => (await import('./commands/work.ts')).workCommand(),
  },
  compare: {
    description: 'Run an experiment and print which protocol has the least error.',
    load: async () => (await import('./commands/compare.ts')).compareCommand(),
  },
  account: {
    description:
      'Privacy after one shuffled round: a proved bracket, and every published bound with its verdict.',
    load: async () => (await import('./commands/account.ts')).accountCommand(),
  },
  audit: {
    description: 'Run a mechanism, or the protocols of a config, many times and test its claimed privacy.',
    load: async () => (await import('./commands/audit.ts')).auditCommand(),
  },
  verify: {
    description: 'Recheck a certificate in exact integers, from its file alone.',
    load: async () => (await import('./commands/verify.ts')).verifyCommand(),
  },
  calibrate: {
    description: 'The largest local budget, or the least noise, whose certified privacy meets a target.',
    load: async () => (await import('./commands/calibrate.ts')).calibrateCommand(),
  },
  compose: {
    description:
      'Privacy of many shuffled rounds: a proved bracket, and composition theorems for comparison.',
    load: async () => (await import('./commands/compose.ts')).composeCommand(),
  },
  personalized: {
    description:
      'Privacy after shuffling for users with personal budgets: a proved bracket, and published bounds.',
    load: async () => (await import('./commands/personalized.ts')).personalizedCommand(),
  },
  plan: {
    description:
      'Find the protocol with the least error for your users, domain, proved privacy and bandwidth.',
    load: async () => (await import('./commands/plan.ts')).planCommand(),
  },
  learn: {
    description: 'Federated learning under local budgets: train each framework, and compare accuracies.',
    load: async () => (await import('./commands/learn.ts')).learnCommand(),
  },
  forest: {
    description:
      'Learn decision trees from shuffled histograms; report accuracy and the composed privacy of all rounds.',
    load: async () => (await import('./commands/forest.ts')).forestCommand(),
  },
  unsupervised: {
    description:
      'Learn K-means or isolation forests from shuffled histograms; report the composed privacy of all rounds.',
    load: async () => (await import('./commands/unsupervised.ts')).unsupervisedCommand(),
  },
  figures: {
    description: "Make the papers' figures and tables again: CSV, SVG, PNG and one gallery page.",
    load: async () => (await import('./commands/figures.ts')).figuresCommand(),
  },
  claims: {
    description: "Measure the papers' printed numbers and statements again, and judge them.",
    load: async () => (await import('./commands/claims.ts')).claimsCommand(),
  },
  demo: {
    description:
      'Run a trial as a deployment would: separate processes for the parties, and sealed messages.',
    load: async () => (await import('./commands/demo.ts')).demoCommand(),
  },
  explore: {
    description: 'Show accounts, compositions, shuffles and the runs of the results folder in the browser.',
    load: async () => (await import('./commands/explore.ts')).exploreCommand(),
  },
  mechanisms: {
    description: 'List the mechanisms that account knows, with their parameters and sources.',
    load: async () => (await import('./commands/mechanisms.ts')).mechanismsCommand(),
  },
  datasets: {
    description: 'List the data sets that a config can name.',
    load: async () => (await import('./commands/datasets.ts')).datasetsCommand(),
  },
  schema: {
    description: "Print the JSON Schema of configs, for editors' completion and checks.",
    load: async () => (await import('./commands/schema.ts')).schemaCommand(),
  },
};
