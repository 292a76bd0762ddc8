/** Imports a large file of another service, compared with COPY and upsert of the same rows. */
import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, atMost, type Bench, number } from '../support/bench.ts'
import { residentMegabytes, watchPeak } from '../support/resident-memory.ts'
import { sizes } from '../support/sizes.ts'
import { type BenchTestbed, openTestbed } from '../support/testbed.ts'
import { callTool } from '../writes/support/call-tool.ts'
import { placeOf } from '../writes/support/place.ts'
import { feedSettled } from '../writes/support/settled.ts'
import { settleWriters } from '../writes/support/writers.ts'
import { copyRows, makeRivalTables } from './copy-rows.ts'
import { assertImported, audienceOf, settlePeople } from './expectations.ts'
import { writeMailchimpFile } from './mailchimp-file.ts'

const { rows, restMs } = sizes.imports
const lookMs = 250

export const imports: Bench = {
  name: 'imports',
  title: 'Import of a file of Mailchimp',
  method: `${number(rows)} rows in windows-1252 with quotes and newlines in cells, a tenth of them of known contacts, one in 50 of the person before, one in 500 with a cell too many and one with nine too few, one in 1,000 of somebody who unsubscribed and one of somebody erased. Uploaded, checked, confirmed with consent and run by the service (role all); the rate is that of the run, with all that it leaves: contacts, consent with its evidence, what undoing needs, events and their places in the feed, the timeline. Beside it psql on the same server and socket, in a transaction for each 10,000: COPY to a temporary table and from it, in one statement, the same rows into tables of the same shape; one half of the rows before the import, the other after it. Memory is that of the service's process, without the database: the highest reading from the upload to the end of the run, above the one after ${restMs / 1000} s of rest before. Afterwards the import is undone, and every contact is as it was before.`,

  async run(tell) {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-imports-'))
    const testbed = await openTestbed()
    try {
      const { businessIds, tokens } = await settleWriters(testbed, {
        businesses: 1,
        connections: 1,
      })
      const [businessId] = businessIds
      const [token] = tokens
      if (!businessId || !token) throw new Error('nobody was settled')
      const call: Call = (tool, args) => callTool(testbed, token, tool, args)
      await settlePeople(testbed.db, { businessId, rows, dataDir: testbed.dataDir })
      const file = path.join(folder, 'people.csv')
      await writeMailchimpFile(file, rows)
      await makeRivalTables(testbed.db)
      const place = await placeOf(testbed.dataDir)
      const half = Math.floor(rows / 2)
      const before = await copyRows(place, businessId, { from: 0, to: half })
      tell(`COPY and upsert: ${number(before)}/s`)
      await sleep(restMs)
      const idle = residentMegabytes(testbed.service.pid)
      tell(`idle: ${number(idle)} MB`)
      const audience = await audienceOf(testbed.db, businessId)
      const measured = await measure(testbed, { call, file, tell })
      await feedSettled(testbed.db)
      await assertImported(testbed.db, { businessId, rows, result: measured.result })
      const undone = await undo(call, measured.importId)
      tell(`undone: ${number(undone.rate)}/s`)
      assert.deepEqual(await audienceOf(testbed.db, businessId), audience)
      const after = await copyRows(place, businessId, { from: half, to: rows })
      tell(`COPY and upsert: ${number(after)}/s`)
      const copy = 2 / (1 / before + 1 / after)
      const { checkRate, runRate, peak } = measured
      return [
        atLeast('share of COPY and upsert of the same rows', runRate / copy, 0.5),
        atMost('memory above idle, at most', peak - idle, 150, ' MB'),
        { name: 'rows imported a second', value: number(runRate) },
        { name: 'the same rows a second by COPY and upsert', value: number(copy) },
        { name: 'rows checked a second by the dry run', value: number(checkRate) },
        { name: 'contacts undone a second', value: number(undone.rate) },
        { name: 'memory when idle, and at most', value: `${number(idle)} MB, ${number(peak)} MB` },
      ]
    } finally {
      await testbed.close()
      await rm(folder, { recursive: true })
    }
  },
}

export type Call = <T>(tool: string, args: object) => Promise<T>

interface ImportAnswer {
  import_id: string
  state: string
  upload_url: string
  fault?: { message: string }
  result?: Record<string, number> & { undone?: { deleted: number; restored: number } }
}

interface Measuring {
  call: Call
  file: string
  tell(line: string): void
}

async function measure(testbed: BenchTestbed, { call, file, tell }: Measuring) {
  const watch = watchPeak(testbed.service.pid)
  try {
    const made = await call<ImportAnswer>('import.create', { file_name: 'people.csv' })
    const body = await openAsBlob(file)
    const uploaded = await fetch(made.upload_url, { method: 'PUT', body })
    if (uploaded.status !== 201) throw new Error(await uploaded.text())
    tell(`${number(body.size / 1e6)} MB uploaded; memory at most ${number(watch.peak())} MB`)
    const { import_id } = made
    const checked = await importInState(call, import_id, 'ready')
    tell(`checked; memory at most ${number(watch.peak())} MB`)
    const words = { source: 'Mailchimp', text: 'Send me the newsletter.' }
    const consent = { email: words }
    await call('import.confirm', { import_id, encoding: 'windows-1252', consent })
    const run = await importInState(call, import_id, 'done')
    tell(`imported; memory at most ${number(watch.peak())} MB`)
    return {
      importId: import_id,
      checkRate: rows / checked.seconds,
      runRate: rows / run.seconds,
      peak: watch.peak(),
      result: run.answer.result ?? {},
    }
  } finally {
    watch.stop()
  }
}

/** Takes the import back. The rate is that of the contacts that it had created or changed. */
async function undo(call: Call, import_id: string): Promise<{ rate: number }> {
  await call('import.undo', { import_id })
  const { seconds, answer } = await importInState(call, import_id, 'undone')
  const { deleted = 0, restored = 0 } = answer.result?.undone ?? {}
  return { rate: (deleted + restored) / seconds }
}

async function importInState(call: Call, import_id: string, state: string) {
  const started = performance.now()
  for (;;) {
    const answer = await call<ImportAnswer>('import.get', { import_id })
    const seconds = (performance.now() - started) / 1000
    if (answer.state === state) return { answer, seconds }
    if (answer.fault) throw new Error(answer.fault.message)
    await sleep(lookMs)
  }
}
