/**
 * `npm run bench` runs every bench, and `npm run bench -- refresh` the named ones. With `--write`
 * the figures are written to docs/benchmarks.md. It fails where a target is missed. With
 * `--smallest` each bench has the smallest sizes, only to see that it runs and ends.
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { app } from './app/app.ts'
import { search } from './audience/search.ts'
import { segments } from './audience/segments.ts'
import { businessList } from './business-list.ts'
import { campaign } from './campaigns/campaign.ts'
import { streams } from './campaigns/streams.ts'
import { fairness } from './fairness.ts'
import { closing } from './history/closing.ts'
import { year } from './history/year.ts'
import { imports } from './imports/imports.ts'
import { emailSend } from './mail/email-send.ts'
import { mailBuild } from './mail/mail-build.ts'
import { sendBatch } from './mail/send-batch.ts'
import { memory } from './memory.ts'
import { migrations } from './migrations.ts'
import { refresh } from './refresh.ts'
import { sequences } from './sequences/sequences.ts'
import { smsSmpp } from './sms/sms-smpp.ts'
import { start } from './start.ts'
import type { Bench } from './support/bench.ts'
import { describeMachine } from './support/machine.ts'
import { type Finished, figureTable, page } from './support/report.ts'
import { openTestbed } from './support/testbed.ts'
import { apart } from './webhooks/apart.ts'
import { webhooks } from './webhooks/deliveries.ts'
import { contactImport } from './writes/contact-import.ts'
import { contactTrack } from './writes/contact-track.ts'
import { contactUpsert } from './writes/contact-upsert.ts'
import { formSubmit } from './writes/form-submit.ts'

const benches: readonly Bench[] = [
  start,
  businessList,
  contactUpsert,
  formSubmit,
  contactImport,
  contactTrack,
  imports,
  segments,
  search,
  app,
  mailBuild,
  emailSend,
  sendBatch,
  smsSmpp,
  campaign,
  streams,
  sequences,
  webhooks,
  apart,
  refresh,
  memory,
  fairness,
  migrations,
  closing,
  year,
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    smallest: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name))
if (unknown.length > 0) {
  const known = benches.map(({ name }) => name).join(', ')
  throw new Error(`There is no bench ${unknown.join(', ')}. Known: ${known}.`)
}
if (values.write && values.smallest) {
  throw new Error('The figures of --smallest mean nothing: they are not for --write.')
}
if (values.write && positionals.length > 0) {
  throw new Error('--write takes the figures of all benches: leave the names out.')
}

const chosen = benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const machine = values.smallest
  ? 'With --smallest the figures mean nothing, and no target is judged.'
  : await machineLine()
console.log(`${machine}\n`)
const finished: Finished[] = []
for (const bench of chosen) {
  const began = performance.now()
  const tell = (line: string) => {
    const elapsed = Math.round((performance.now() - began) / 1000)
    process.stderr.write(`${String(elapsed).padStart(4)} s  ${bench.name}: ${line}\n`)
  }
  const measured = await bench.run(tell)
  const figures = values.smallest ? measured.map(({ name, value }) => ({ name, value })) : measured
  finished.push({ bench, figures })
  console.log(`\n${bench.title}\n${figureTable(figures)}\n`)
}
if (values.write) {
  const file = path.join(import.meta.dirname, '../docs/benchmarks.md')
  await writeFile(file, page(finished, machine, new Date()))
}
const missed = finished.flatMap(({ figures }) => figures.filter(({ met }) => met === false))
if (missed.length > 0) {
  console.log(`Missed: ${missed.map(({ name }) => name).join('; ')}`)
  process.exitCode = 1
}

async function machineLine(): Promise<string> {
  const testbed = await openTestbed()
  try {
    return await describeMachine(testbed.db)
  } finally {
    await testbed.close()
  }
}
