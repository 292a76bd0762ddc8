/**
 * The first pass over a file is a dry run: it saves nothing and shows the uploader what the import
 * would do.
 */

import { createHash } from 'node:crypto'
import { judgeDomains, proposalsFor, roles, sumOf } from '../contacts/hygiene/judge-domains.ts'
import { type KnownPerson, knownAmong } from '../contacts/people-on-file.ts'
import type { Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import { FileMissing, type Files } from '../files/files.ts'
import type { Database } from '../lib/db/types.ts'
import type { Resolver } from '../lib/dns/resolver.ts'
import { type Clock, seconds } from '../lib/time/clock.ts'
import { baseOf, leftOutCode, type RowFault, readTarget } from './cells.ts'
import { addProfiles, type ColumnProfile } from './columns.ts'
import { createSeen } from './doubled.ts'
import {
  type DryRunFindings,
  type FoundAddresses,
  type FoundRefusal,
  fileOf,
  findImport,
  findLastChoices,
  type Import,
  type ImportFault,
  importLimits,
  lockImport,
  saveImport,
  swapped,
  tooHard,
  unreadable,
} from './import.ts'
import { guessFor } from './layout.ts'
import type { Choices, ImportKind, Layout } from './plan.ts'
import { addressesOf, type FileReader, type FileRow, TooHard, type Window } from './reader.ts'
import { guessReason } from './suppression-rows.ts'

interface CheckDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  files: Files
  reader: FileReader
  resolver: Resolver
}

/** How often the progress is saved. */
const tellMs = seconds(1)

export async function checkFile(
  deps: CheckDeps,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'import'> },
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = deps
  const importRow = await findImport(db, businessId, id)
  if (importRow?.state !== 'checking') return
  const outcome = await look(deps, { businessId, importRow, signal })
  if (outcome === 'stopped') return
  const now = clock.now()
  await db.tx(async (tx) => {
    const current = await lockImport(tx, businessId, id)
    if (current?.state !== 'checking') return
    const base = { ...current, nextByte: 0, nextRow: 0, workedMs: 0 }
    const checked: Import =
      'fault' in outcome
        ? { ...base, state: 'failed', hasFile: false, fault: outcome.fault, finishedAt: now }
        : { ...base, ...outcome, state: 'ready' }
    await saveImport(tx, businessId, checked)
  })
  if ('fault' in outcome) await deps.files.remove(fileOf(businessId, importRow).name)
}

interface Looking {
  businessId: Id<'business'>
  importRow: Import
  signal: AbortSignal
}

type Outcome =
  | { layout: Layout; choices: Choices; found: DryRunFindings }
  | { fault: ImportFault }
  | 'stopped'

async function look(deps: CheckDeps, run: Looking): Promise<Outcome> {
  const { businessId, importRow } = run
  const { text, layout, choices, kind } = importRow
  if (!text) throw new Error('an import is checked before its file is here')
  try {
    const isRead = layout?.encoding === text.encoding
    if (layout && choices && isRead) {
      return await readAll(deps, run, { layout, choices, isGuess: false })
    }
    const beginning = await deps.reader.layoutOf(fileOf(businessId, importRow), { ...text, kind })
    if ('unreadable' in beginning) return { fault: unreadable(beginning.unreadable) }
    if (layout && choices) {
      const targets = targetsAnew(beginning, { columns: layout.columns, targets: choices.targets })
      const again = { layout: beginning.layout, choices: { ...choices, targets }, isGuess: false }
      return await readAll(deps, run, again)
    }
    const reason = guessReason(beginning.layout.columns)
    const last = await rememberedFor(deps.db, businessId, { kind, layout: beginning.layout })
    const { targets: remembered, ...rest } = last ?? {}
    const guessed = {
      ...defaultChoices,
      ...(kind === 'suppressions' && { reason }),
      ...rest,
      targets: overlaid(beginning.targets, remembered),
    }
    const layoutAndChoices = { layout: beginning.layout, choices: guessed }
    return await readAll(deps, run, { ...layoutAndChoices, isGuess: true, remembered })
  } catch (error) {
    if (error instanceof TooHard) return { fault: tooHard(error) }
    if (error instanceof FileMissing) return { fault: swapped }
    throw error
  }
}

/** What was chosen for the last file with these headings, and holds for another one. */
async function rememberedFor(
  db: Database,
  businessId: Id<'business'>,
  { kind, layout: { columns, hasHeader } }: { kind: ImportKind; layout: Layout },
): Promise<(Partial<Choices> & Pick<Choices, 'targets'>) | undefined> {
  const last = hasHeader ? await findLastChoices(db, businessId, { kind, columns }) : undefined
  if (!last) return undefined
  // Who agreed, tags and defaults are about the people of one file.
  const { targets, mode, blanksErase, reason, country, values } = last.choices
  return {
    targets,
    mode,
    blanksErase,
    ...(reason && { reason }),
    ...(country !== undefined && { country }),
    ...(values && { values }),
    isRemembered: true,
  }
}

/** The guess, with another target where one is remembered. What types fit, this file decides. */
function overlaid(
  guess: readonly (string | null)[],
  remembered: readonly (string | null)[] | undefined,
): (string | null)[] {
  return guess.map((target, i) => {
    const before = remembered?.[i]
    const isSame = before === undefined || baseOf(before) === baseOf(target)
    return isSame ? target : before
  })
}

/**
 * The targets of a file that is read in another encoding. Where that changes a heading, an attribute
 * named by it is guessed anew.
 */
function targetsAnew(
  reading: { layout: Layout; targets: (string | null)[] },
  before: { columns: readonly string[]; targets: (string | null)[] },
): (string | null)[] {
  const { columns } = reading.layout
  const guessed = withoutTypes(reading.targets, columns)
  if (columns.length !== before.columns.length) return guessed
  return columns.map((column, i) => {
    const target = before.targets[i] ?? null
    const isNamedByHeading = target?.startsWith('attributes.') && column !== before.columns[i]
    return isNamedByHeading ? (guessed[i] ?? null) : target
  })
}

const defaultChoices: Omit<Choices, 'targets'> = {
  tags: [],
  mode: 'update',
  blanksErase: false,
  consent: {},
}

interface Reading {
  layout: Layout
  choices: Choices
  /** Whether the targets are a guess. The whole file then decides their types. */
  isGuess: boolean
  /** The targets that were chosen for the last file with the same headings. */
  remembered?: readonly (string | null)[] | undefined
}

async function readAll(deps: CheckDeps, run: Looking, reading: Reading): Promise<Outcome> {
  const tally = createTally(run.importRow.kind)
  try {
    return await readInto(tally, deps, { ...run, ...reading })
  } finally {
    tally.close()
  }
}

async function readInto(
  tally: Tally,
  { db, clock, hmac, reader, resolver }: CheckDeps,
  { businessId, importRow, signal, layout, choices, isGuess, remembered }: Looking & Reading,
): Promise<Outcome> {
  const addresses = importRow.kind === 'contacts' ? createAddressTally() : undefined
  const hash = createHash('sha256')
  const targets = isGuess ? withoutTypes(choices.targets, layout.columns) : choices.targets
  const plan = {
    ...layout,
    ...choices,
    targets,
    kind: importRow.kind,
    fileName: importRow.fileName,
  }
  const windows = {
    plan,
    from: layout.start,
    addressesAlone: true,
    withProfiles: true,
    withCells: importLimits.sampleRows,
    // If the encoding is a guess, a person has to check some letters.
    withDoubtful: importRow.text?.isGuess ? doubtfulCells : 0,
  }
  let [savedAt, rows] = [clock.now(), 0]
  for await (const window of reader.windows(fileOf(businessId, importRow), {
    ...windows,
    onBytes: (bytes) => hash.update(bytes),
  })) {
    const people = window.rows.flatMap((row) => addressesOf(row) ?? [])
    for (const { email } of people) addresses?.add(email)
    tally.add(window, await knownAmong(db, { businessId, hmac }, people))
    rows += window.rows.length
    const now = clock.now()
    const passed = now.getTime() - savedAt.getTime()
    if (signal.aborted) return 'stopped'
    if (passed < tellMs) continue
    savedAt = now
    const progress = { nextByte: window.at + window.consumed, nextRow: rows, passed }
    if (!(await saveCheckProgress(db, { businessId, importRow }, progress))) return 'stopped'
  }
  const profiles = layout.columns.map((_, i) => tally.profiles[i])
  const typed = profiles.flatMap((profile) => profile ?? [])
  const guess = isGuess && typed.length === profiles.length
  const final = guess
    ? overlaid(
        guessFor(importRow.kind, layout.columns, { profiles: typed, source: layout.known }),
        remembered,
      )
    : choices.targets
  const judged = await addresses?.judge(resolver)
  const counts = tally.found()
  if (counts.withoutEvidence > 0) judged?.proposals.push(askToConfirm)
  const distinct = layout.columns.map((_, i) => tally.profiles[i]?.distinct ?? null)
  const findings = { ...counts, distinct, ...(judged && { addresses: judged }) }
  return { layout, choices: { ...choices, targets: final }, found: findings }
}

const askToConfirm =
  'Rows that say subscribed and not where give no consent. Ask their people to confirm, by contact.import with the status pending: a mail asks each of them.'

/** Keeps types that the header names. A type guessed from the first rows may not fit later. */
function withoutTypes(targets: readonly (string | null)[], columns: readonly string[]) {
  return targets.map((text, i) => {
    const target = text === null ? undefined : readTarget(text)
    if (target?.kind !== 'attribute' || text === columns[i]) return text
    return `attributes.${target.key}`
  })
}

/** Returns false if the import no longer needs the check. */
async function saveCheckProgress(
  db: Database,
  { businessId, importRow }: { businessId: Id<'business'>; importRow: Import },
  { nextByte, nextRow, passed }: { nextByte: number; nextRow: number; passed: number },
): Promise<boolean> {
  return db.tx(async (tx) => {
    const current = await lockImport(tx, businessId, importRow.id)
    if (current?.state !== 'checking') return false
    const workedMs = current.workedMs + passed
    await saveImport(tx, businessId, { ...current, nextByte, nextRow, workedMs })
    return true
  })
}

const mostKinds = 20
const mostRows = 20
/** The number of cells that show whether a guessed encoding is right. */
const doubtfulCells = 3

interface Tally {
  /** `knownPeople` has an entry for each row with a person, in the same order. */
  add(window: Window, knownPeople: readonly KnownPerson[]): void
  found(): DryRunFindings
  /** Gives back the memory of the addresses. Nothing can be added afterwards. */
  close(): void
  readonly profiles: readonly ColumnProfile[]
}

/** Gathers the findings of a dry run, window by window. */
function createTally(kind: ImportKind): Tally {
  const seen = createSeen()
  const profiles: ColumnProfile[] = []
  const refusals = new Map<string, FoundRefusal>()
  const leftOut = new Map<string, FoundRefusal>()
  const doubtful = new Set<string>()
  const sample: DryRunFindings['sample'] = []
  const counts = { rows: 0, valid: 0, doubled: 0, known: 0 }
  const people = { unsubscribed: 0, suppressed: 0, erased: 0, withoutEvidence: 0 }

  const gather = (groups: Map<string, FoundRefusal>, fault: RowFault): void => {
    const key = `${fault.code} ${fault.field}`
    const group = groups.get(key)
    if (group) {
      group.count++
      if (group.rows.length < mostRows) group.rows.push(counts.rows)
    } else if (groups.size < mostKinds) {
      groups.set(key, { ...fault, count: 1, rows: [counts.rows] })
    }
  }

  const take = (row: FileRow, person: KnownPerson | undefined): void => {
    const { email, phone, sha256 } = addressesOf(row) ?? {}
    // Who was erased is on the list already, and that they were erased is nobody's business.
    const isListed = kind === 'suppressions' && person?.isErased
    if (person?.isErased && !isListed) people.erased++
    else counts.valid++
    const repeated = [email, phone, sha256].filter((text) => text !== undefined && seen.add(text))
    if (repeated.length > 0) counts.doubled++
    if (person?.isContact) counts.known++
    if (person?.hasLeft) people.unsubscribed++
    if (person?.isSuppressed || isListed) people.suppressed++
    if (row.withoutEvidence) people.withoutEvidence++
  }

  return {
    profiles,
    add(window, knownPeople) {
      addProfiles(profiles, window.profiles)
      for (const cell of window.doubtful) {
        if (doubtful.size < doubtfulCells) doubtful.add(cell)
      }
      let index = 0
      for (const row of window.rows) {
        counts.rows++
        if (addressesOf(row)) take(row, knownPeople[index++])
        else if (row.fault) gather(refusals, row.fault)
        for (const { column: _column, ...fault } of row.leftOut ?? []) {
          gather(leftOut, { code: leftOutCode, ...fault })
        }
        const { cells } = row
        if (!cells) continue
        if (sample.length < importLimits.sampleRows) sample.push({ cells: cells.map(shortened) })
      }
    },
    found: () => ({
      ...counts,
      ...people,
      doubledAtLeast: seen.isFull,
      refusals: mostFrequentFirst(refusals),
      leftOut: mostFrequentFirst(leftOut),
      doubtful: [...doubtful],
      sample,
    }),
    close: () => seen.free(),
  }
}

const mostFrequentFirst = (groups: ReadonlyMap<string, FoundRefusal>) =>
  [...groups.values()].sort((a, b) => b.count - a.count)

const longestCell = 200
const shortened = (cell: string) =>
  cell.length > longestCell ? `${cell.slice(0, longestCell)}…` : cell

interface AddressTally {
  add(email: string | undefined): void
  judge(resolver: Resolver): Promise<FoundAddresses>
}

export function createAddressTally(mostDomains: number = importLimits.domains): AddressTally {
  const domains = new Map<string, number>()
  const ofRoles = new Set(roles)
  let inRoles = 0
  return {
    add(email) {
      if (email === undefined) return
      const at = email.lastIndexOf('@')
      if (ofRoles.has(email.slice(0, at).toLowerCase())) inRoles++
      const domain = email.slice(at + 1)
      const count = domains.get(domain)
      if (count === undefined && domains.size >= mostDomains) return
      domains.set(domain, (count ?? 0) + 1)
    },
    async judge(resolver) {
      const all = [...domains]
        .map(([domain, contacts]) => ({ domain, contacts }))
        .sort((a, b) => b.contacts - a.contacts)
      const {
        withoutMail,
        typos,
        throwAway,
        asked: checkedCount,
      } = await judgeDomains(resolver, all)
      const counts = {
        without_mail: sumOf(withoutMail),
        typos: sumOf(typos),
        roles: inRoles,
        throw_away: sumOf(throwAway),
      }
      const examplesOf = <T>(list: readonly T[]) => list.slice(0, importLimits.domainsShown)
      return {
        ...counts,
        domains: { all: all.length, asked: checkedCount },
        proposals: proposalsFor(counts),
        examples: {
          without_mail: examplesOf(withoutMail),
          typos: examplesOf(typos),
          throw_away: examplesOf(throwAway),
        },
      }
    },
  }
}
