/** Runs every sample of the generated reference against a service, with real ids. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { formatId, type Id, newId, parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { sampleLanguages } from 'crier-server/reference/blocks.ts'
import { writtenPages } from 'crier-server/reference/guides/written.ts'
import { allSamples, type Sample } from 'crier-server/reference/samples/all.ts'
import { runFeeds, runSequences } from '../operations/support/belongings.ts'
import { fillPool, freshCampaign, stateFor } from '../operations/support/campaigns.ts'
import { fillDeliveries, freshDelivery } from '../operations/support/deliveries.ts'
import { addImport } from '../operations/support/imports.ts'
import { catalog } from '../operations/support/testbed.ts'
import { httpServer, type RemoteServer } from '../support/network/remote-server.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { keptReply } from '../support/sms/replies.ts'
import { sampleIds } from './sample-ids.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

let workshop: Workshop
let receiver: RemoteServer

before(async () => {
  workshop = await openWorkshop()
  receiver = await httpServer((_request, response) => response.writeHead(204).end())
  await workshop.bash('npx crier login')
})
after(async () => {
  await workshop.close()
  await receiver.close()
})

/** The samples of one language with ids of new things. Samples that delete come last, and a retry first. */
async function samplesIn(language: string): Promise<Sample[]> {
  const made = await sampleIds(workshop.client, `http://127.0.0.1:${receiver.port}/`)
  const businessId = parseId('business', made['bus'] ?? '')
  assert.ok(businessId)
  // The samples of two languages are more requests than one token may make in a minute.
  await workshop.renewToken(businessId)
  const { db } = workshop.service
  const rpl = await keptReply(db, businessId, 'you have the wrong number', '+33687654321')
  const campaignId = parseId('campaign', made['cmp'] ?? '')
  assert.ok(campaignId)
  await setBusiness(db, businessId, { ...postalAddress, now: new Date() })
  await fillPool(db, businessId, campaignId)
  await addDeadDelivery(businessId, made['whk'] ?? '')
  await workshop.client.domain.add({ domain: verified })
  const imports: Record<string, string> = {}
  for (const [operation, state] of Object.entries(importStates)) {
    imports[operation] = await addImport(db, businessId, { word: 'contacts', state })
  }
  const sequences = await sequencesFor(businessId)
  const feeds = await feedsFor(businessId)
  const ids = {
    ...made,
    rpl,
    imp: imports['import.get'] ?? '',
    seq: sequences['sequence.get'] ?? '',
    fed: feeds['feed.get'] ?? '',
  }
  const last = ({ operation = '' }: Sample) => {
    // A replay takes all that was given up.
    if (operation === 'webhook.retry') return -1
    return operation.endsWith('.erase') ? 2 : Number(/\.(delete|remove)$/.test(operation))
  }
  return Iterator.from([...allSamples(catalog, workshop.service.config, ids), ...guideSamples()])
    .filter((sample) => sample.language === language)
    .map((sample) => aboutFreshCampaign(sample, made))
    .map((sample) => aboutScheduled(sample, made))
    .map((sample) => aboutDeadDelivery(sample, made))
    .map((sample) => aboutImport(sample, ids.imp, imports))
    .map((sample) => aboutSequence(sample, ids.seq, sequences))
    .map((sample) => aboutFeed(sample, ids.fed, feeds))
    .toArray()
    .sort((a, b) => last(a) - last(b))
}

/** The calls of the guides that are written by hand, in each language. */
function guideSamples(): Sample[] {
  return writtenPages(catalog, workshop.service.config).flatMap(({ path, blocks }) =>
    blocks.flatMap((block, at) => {
      if (block.kind !== 'code' || block.language !== 'curl') return []
      return sampleLanguages.flatMap((language, n) => {
        const other = blocks[at + n]
        const isSample = other?.kind === 'code' && other.language === language
        if (!isSample) return []
        // Each language saves the segment, and two of a business cannot have the same name.
        const own = other.code.replaceAll('VIPs who buy', `VIPs ${newId('segment')}`)
        return [{ page: path, language, code: own }]
      })
    }),
  )
}

/** The domain of the example that states what a verified one sent before. */
const verified = 'news.example.com'

const postalAddress = { key: 'postal_address', value: '1 Example Street' } as const

/** An action on a campaign works once, so each sample gets its own campaign. */
function aboutFreshCampaign(sample: Sample, { cmp = '', bus = '' }: Record<string, string>) {
  if (!sample.code.includes(cmp)) return sample
  const campaign = freshCampaign(bus, stateFor(sample.operation ?? ''))
  return { ...sample, code: sample.code.replaceAll(cmp, campaign) }
}

/** Imports already in the state that the operation leads to, so that a second call succeeds. */
const importStates = {
  'import.get': 'done',
  'import.confirm': 'done',
  'import.pause': 'paused',
  'import.cancel': 'cancelled',
  'import.undo': 'undone',
}

function aboutImport(sample: Sample, any: string, byOperation: Record<string, string>): Sample {
  const own = byOperation[sample.operation ?? '']
  return own === undefined ? sample : { ...sample, code: sample.code.replaceAll(any, own) }
}

/** Operations on a sequence that runs; the others take a draft. */
const needRunning = ['pause', 'resume', 'stop', 'enrol', 'remove']

/** A sequence for each operation on one, in the state that it needs. */
async function sequencesFor(businessId: Id<'business'>): Promise<Record<string, string>> {
  const operations = catalog.filter(({ input }) => 'sequence_id' in input.properties)
  const ids: Record<string, string> = {}
  for (const { name } of operations) {
    const { sequence_id } = await workshop.client.sequence.save({
      name: `${name} ${newId('sequence')}`,
      enter: { on: 'consent.given' },
      steps: [{ wait: '1 day' }, { tag: 'customer' }],
    })
    ids[name] = sequence_id
    if (needRunning.some((verb) => name === `sequence.${verb}`)) {
      await runSequences(workshop.service.db, businessId, [sequence_id])
    }
  }
  return ids
}

function aboutSequence(sample: Sample, any: string, byOperation: Record<string, string>): Sample {
  const own = byOperation[sample.operation ?? '']
  if (own === undefined) return sample
  // Two sequences of a business cannot have the same name.
  const code = sample.code.replaceAll('Welcome series', `Welcome series ${newId('sequence')}`)
  return { ...sample, code: code.replaceAll(any, own) }
}

/** A feed for each operation on one, in the state that it needs. */
async function feedsFor(businessId: Id<'business'>): Promise<Record<string, string>> {
  const operations = catalog.filter(({ input }) => 'feed_id' in input.properties)
  const ids: Record<string, string> = {}
  for (const { name } of operations) {
    const { feed_id } = await workshop.client.feed.save({
      name: `${name} ${newId('feed')}`,
      url: 'https://blog.invalid/feed.xml',
      every: 'week',
      content: { subject: 'News', blocks: [{ type: 'feed' }] },
    })
    ids[name] = feed_id
    if (name === 'feed.pause' || name === 'feed.resume') {
      await runFeeds(workshop.service.db, businessId, [feed_id])
    }
  }
  return ids
}

function aboutFeed(sample: Sample, any: string, byOperation: Record<string, string>): Sample {
  const own = byOperation[sample.operation ?? '']
  if (own === undefined) return sample
  const code = sample.code.replaceAll('Our blog', `Our blog ${newId('feed')}`)
  return { ...sample, code: code.replaceAll(any, own) }
}

/** A delivery that was given up: what was delivered cannot be retried. */
async function addDeadDelivery(businessId: Id<'business'>, webhookId: string): Promise<void> {
  const { db } = workshop.service
  const type = 'form.submitted'
  const event = await db.one<{ id: Id<'event'> }>(sql`
    select id from events where business_id = ${businessId} and type = ${type} limit 1
  `)
  const source = { businessId, webhookId, eventId: formatId('event', event.id), type }
  await fillDeliveries(db, source, { count: 1, now: new Date() })
}

function aboutDeadDelivery(sample: Sample, { dlv = '', bus = '' }: Record<string, string>): Sample {
  if (sample.operation !== 'webhook.retry') return sample
  return { ...sample, code: sample.code.replaceAll(dlv, freshDelivery(bus)) }
}

/** A sent message can be neither cancelled nor moved, and one moves to a time that is still to come. */
function aboutScheduled(sample: Sample, ids: Record<string, string>): Sample {
  const { msg = '', scheduled = '', moved = '' } = ids
  if (sample.operation === 'message.cancel') {
    return { ...sample, code: sample.code.replaceAll(msg, scheduled) }
  }
  if (sample.operation !== 'message.reschedule') return sample
  const code = sample.code.replaceAll(msg, moved)
  return { ...sample, code: code.replaceAll('2026-11-30T09:00:00+01:00', tomorrow()) }
}

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

/** Runs the samples of a language, at most so many of them in one process. */
async function runEach(
  language: string,
  run: (samples: Sample[]) => Promise<unknown>,
  mostAtOnce = 1,
) {
  const failures: string[] = []
  const all = await samplesIn(language)
  assert.ok(all.length >= catalog.length)
  const groups: Sample[][] = []
  for (const sample of all) {
    const group = groups.at(-1)
    if (!group || group.length === mostAtOnce || statesVolume(sample)) groups.push([sample])
    else group.push(sample)
  }
  for (const samples of groups) {
    // Just before, because a check of the domain, which has no records, may have ended meanwhile.
    if (samples.some(statesVolume)) {
      await workshop.service.db.run(
        sql`update domains set status = 'verified' where name = ${verified}`,
      )
    }
    await run(samples).catch((error: Error) => {
      const texts = samples.map(({ page, code }) => `${page}:\n${code}`)
      failures.push(`${texts.join('\n\n')}\n${error.message}`)
    })
  }
  assert.deepEqual(failures, [], failures.join('\n\n'))
}

const statesVolume = ({ operation }: Sample) => operation === 'domain.state_volume'

// curl succeeds whatever the server answers; here a refusal is a failure, except on the page that
// shows one.
const strict = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }\n'

test('every curl sample runs', () =>
  runEach('curl', async (samples) => {
    const scripts = samples.map(({ page, code }) =>
      page === 'guides/errors' ? code : strict + code,
    )
    await workshop.bash(`export CRIER_API_KEY=${workshop.key}\n${scripts.join('\n')}`)
  }))

// A process takes longer to start than twenty calls, or twenty modules, take to run.
const mostInProcess = 20

test('every command-line sample runs', () =>
  runEach(
    'cli',
    async (samples) => {
      // What uses an answer, or how a command ended, needs the command itself.
      const scripts = samples.filter(({ code }) => /\$\(|\|\|/.test(code))
      const calls = samples.filter((sample) => !scripts.includes(sample))
      await workshop.commands(...calls.map(({ code }) => code))
      for (const { code } of scripts) await workshop.bash(code)
    },
    mostInProcess,
  ))

test('every Python sample runs', { skip: missingPrograms('/usr/bin/python3') ?? false }, () =>
  runEach(
    'python',
    (samples) => workshop.python(...samples.map(({ code }) => code)),
    mostInProcess,
  ),
)

const withoutPhp = missingPrograms('/usr/bin/php', '/usr/lib/php/20220829/curl.so') ?? false

test('every PHP sample runs', { skip: withoutPhp }, () =>
  runEach('php', (samples) => workshop.php(...samples.map(({ code }) => code)), mostInProcess),
)

test('every TypeScript sample runs', () =>
  runEach(
    'typescript',
    (samples) => workshop.typescript(...samples.map(({ code }) => code)),
    mostInProcess,
  ))
