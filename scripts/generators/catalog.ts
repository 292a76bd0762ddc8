/** The catalogue as generators read it: every operation with its place as `noun.verb`. */

import { createWriter } from 'crier-server/campaigns/writer/writer.ts'
import { readConfig } from 'crier-server/config.ts'
import { refuse } from 'crier-server/core/errors.ts'
import type { Operation } from 'crier-server/core/operation.ts'
import { createQueues } from 'crier-server/lib/concurrency/queues.ts'
import { createVault } from 'crier-server/lib/crypto/vault.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { createResolver } from 'crier-server/lib/dns/resolver.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { providerByName } from 'crier-server/messages/throttle/provider.ts'
import type { Facilities } from 'crier-server/operations/capabilities.ts'
import { catalogOf } from 'crier-server/operations/catalog.ts'
import { inputOf, restOutputOf } from 'crier-server/reference/meanings/find.ts'
import { domainSettingsOf } from 'crier-server/sender-domains/model/settings.ts'
import { createTemplates } from 'crier-server/templates/compile.ts'
import { restyleJob } from 'crier-server/templates/restyle.ts'
import type { Schema } from './schema-types.ts'

const noDatabase: Database = {
  all: async () => [],
  maybe: async () => undefined,
  one: () => Promise.reject(new Error('There is no database here.')),
  run: async () => 0,
  tx: () => Promise.reject(new Error('There is no database here.')),
  series: () => Promise.reject(new Error('There is no database here.')),
  onError: () => {},
  poolUse: () => ({ busy: 0, idle: 0, waiting: 0, waitedSeconds: 0 }),
  isDistributed: () => false,
  findNodes: async () => false,
  end: async () => {},
}

const nobody = refuse('unavailable', 'There is nobody here.')
const refused = () => Promise.reject(nobody)

/** A placeholder installation: its definitions are read, and nothing is called. */
const noOutbound = {
  get: () => Promise.reject(new Error('There is no network here.')),
  ifMade: async () => {},
}

const noFiles = {
  write: async () => {},
  async *read() {},
  sha256: () => Promise.reject(new Error('There are no files here.')),
  remove: async () => {},
}

export const nowhere: Facilities = {
  slug: 'svc',
  appUrl: '',
  gatewayUrl: '',
  defaultTier: 'free',
  historyMonths: null,
  passagesOf: () => () => Promise.resolve([]),
  meaningsOf: ({ input }) => Promise.resolve(input),
  defaultDeployLimit: 0,
  email: 'inbox',
  submission: undefined,
  warmUpOf: () => Promise.resolve(undefined),
  refusingProvidersOf: () => Promise.resolve([]),
  sms: 'inbox',
  texts: {
    textSenders: { textSenderOf: async () => ({ from: undefined, marketing: true }) },
    templates: {
      render: refused,
      languageOf: async () => null,
      textOf: refused,
    },
    fillOwn: refused,
    checkValues: refused,
    tracking: { preferencesUrl: () => undefined, viewUrl: () => undefined },
  },
  limits: {},
  invitations: { queueInvitation: async () => {} },
  leaving: { left: async () => {} },
  passkeys: {
    db: noDatabase,
    vault: createVault('for definitions alone'),
    site: { appUrl: '', baseUrl: '', gatewayUrl: '' },
    notices: { queue: async () => {} },
    isRequired: false,
  },
  factors: {
    db: noDatabase,
    vault: createVault('for definitions alone'),
    notices: { queue: async () => {} },
    isRequired: false,
    issuer: undefined,
  },
  company: {
    db: noDatabase,
    vault: createVault('for definitions alone'),
    resolver: createResolver({ servers: [] }),
    appUrl: 'http://localhost',
  },
  settings: {
    appUrl: '',
    missingOf: async () => new Map(),
    missingIn: async () => new Map(),
    changed() {},
    restyle: restyleJob,
    publicBaseOf: async () => '',
    ownDomainsOf: async () => [],
  },
  traces: [],
  exports: { vault: createVault('for definitions alone'), gatewayUrl: '' },
  imports: {
    db: noDatabase,
    clock: systemClock,
    vault: createVault('for definitions alone'),
    gatewayUrl: '',
    files: noFiles,
  },
  images: { files: noFiles, outbound: noOutbound, baseUrl: '' },
  brand: {
    templates: createTemplates(),
    outbound: noOutbound,
    appUrl: '',
    baseUrl: '',
    changed() {},
  },
  templates: createTemplates(),
  writer: createWriter({
    settings: undefined,
    outbound: () => Promise.reject(new Error('There is no network here.')),
    log: { info() {}, warn() {} },
  }),
  viewing: {
    db: noDatabase,
    senders: { senderOf: async () => nobody },
    templates: { render: refused, languageOf: async () => null, textOf: refused },
    tracking: { preferencesUrl: () => undefined, viewUrl: () => undefined, prepare: refused },
    utmOf: async () => undefined,
    senderProfileOf: async () => undefined,
  },
  senders: { senderOf: async () => nobody },
  status: {
    operatorEmail: undefined,
    isOfThisMachine: false,
    relays: () => [],
    works: async () => false,
    report: () => Promise.reject(new Error('There is no service here.')),
  },
  campaigns: {
    checkLinks: async () => ({ links: 0, checked: 0, remaining: 0, dead: [] }),
    warmUpOf: () => Promise.resolve(undefined),
    findProvider: providerByName,
    audienceTurns: createQueues(),
    canaryWaitMs: 0,
    undoMs: 60_000,
    routeOf: async () => ({
      leavesMachine: false,
      deliveryReported: false,
      complaintsReported: false,
    }),
    textSenders: { textSenderOf: async () => refuse('unavailable', 'There is nobody here.') },
    unsubscribeCheck: {
      isShown: () => true,
      leadsNowhere: () => undefined,
      bytesOfTracking: () => 0,
      testUrl: () => '',
      withFooter: (_business, _url, mail) => mail,
    },
  },
  domains: {
    resolver: createResolver({ servers: [] }),
    vault: createVault('for definitions alone'),
    settings: domainSettingsOf(readConfig({})),
  },
  webhooks: {
    vault: createVault('for definitions alone'),
    guard: { admit: async () => undefined },
    rights: {
      reachOf: async () => new Map(),
      namesOf: async () => new Map(),
      candidateOf: async () => undefined,
    },
  },
}

export interface Entry {
  noun: string
  verb: string
  operation: Operation
  input: Schema
  output: Schema
}

/** An installation's settings change responses, but never definitions. */
export function freshCatalog(): readonly Operation[] {
  return catalogOf(nowhere)
}

export function entries(): Entry[] {
  return entriesOf(freshCatalog())
}

export function entriesOf(catalog: readonly Operation[]): Entry[] {
  return catalog.map((operation) => {
    const [noun = '', verb = ''] = operation.name.split('.')
    return {
      noun,
      verb,
      operation,
      input: inputOf(operation) as Schema,
      output: restOutputOf(operation) as Schema,
    }
  })
}

export function heading(from: string): string {
  return `// Printed by npm run generate from ${from}. Do not change it by hand.\n`
}
