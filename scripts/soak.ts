/**
 * `npm run soak`: the long proofs at full length. `--only NAME,NAME` takes some of them,
 * `--kills N`, `--people N` and `--seed S` change the crash loops; with `--write` each section of
 * docs/soak.md is replaced when its loop has ended well.
 */
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { campaignSoak } from './soak-campaigns.ts'
import { grantSoak, writeSoak } from './soak-crashes.ts'
import { deliverySoak } from './soak-deliveries.ts'
import { imageSoak } from './soak-image.ts'
import { writeSection } from './soak-page.ts'
import { retentionSoak } from './soak-retention.ts'
import { segmentSoak } from './soak-segments.ts'
import { mailSoak, textSoak, twoRelaysSoak } from './soak-sending.ts'
import { sequenceSoak } from './soak-sequences.ts'
import { stopSoak } from './soak-stop.ts'
import {
  benchSoak,
  effectSoak,
  externalIdSoak,
  fileSoak,
  filterSoak,
  formSoak,
  importSoak,
  inputSoak,
  lookSoak,
  maskedSoak,
  nodeSoak,
  sequenceOracleSoak,
  wordSoak,
} from './soak-tests.ts'

/** Each returns its section of the page, and throws where a guarantee was violated. */
const soaks: Record<string, (kills: number, seed: number) => Promise<string> | string> = {
  grants: grantSoak,
  writes: writeSoak,
  webhooks: deliverySoak,
  sequences: sequenceSoak,
  effect: () => effectSoak(),
  'sequence-oracle': () => sequenceOracleSoak(),
  mail: (_, seed) => mailSoak(seed),
  'two-relays': (_, seed) => twoRelaysSoak(seed),
  texts: (_, seed) => textSoak(seed),
  campaign: (_, seed) => campaignSoak(seed),
  stop: () => stopSoak(),
  segments: (_, seed) => segmentSoak(seed),
  retention: (kills, seed) => retentionSoak(kills, seed, Number(values.people)),
  'external-ids': () => externalIdSoak(),
  filters: () => filterSoak(),
  forms: () => formSoak(),
  imports: () => importSoak(),
  files: () => fileSoak(),
  inputs: () => inputSoak(),
  nodes: () => nodeSoak(),
  looks: () => lookSoak(),
  benches: () => benchSoak(),
  masked: () => maskedSoak(),
  words: () => wordSoak(),
  image: () => imageSoak(),
}
const page = path.join(import.meta.dirname, '../docs/soak.md')

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(soaks).join(',') },
    kills: { type: 'string', default: '40' },
    people: { type: 'string', default: '200000' },
    seed: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const kills = Number(values.kills)
const seed = values.seed === undefined ? randomInt(2 ** 32) : Number(values.seed)
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  throw new Error('--kills takes a whole number from 1, --seed a whole number.')
}

for (const name of values.only.split(',')) {
  const soak = soaks[name]
  if (!soak) throw new Error(`--only takes ${Object.keys(soaks).join(', ')}; not ${name}.`)
  console.log(`${name}, seed ${seed}`)
  const section = await soak(kills, seed)
  console.log(section)
  if (values.write) await writeSection(page, section)
}
