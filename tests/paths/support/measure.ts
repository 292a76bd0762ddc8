/** The path of the service's most frequent work: the files that it uses, warm, and their lines. */
import type { Coverage, Lines } from './coverage.ts'
import {
  campaignMail,
  codeExchange,
  contactPage,
  contactUpsert,
  hostedForm,
  importOfTwo,
  type Scene,
  webhookDelivery,
} from './scenes.ts'

export interface PathFile {
  /** The path below `server/src`. */
  file: string
  /** Lines with code, in functions that were called. */
  lines: number
}

export interface MeasuredPath {
  name: keyof typeof scenes
  /** Files of the modules, which contain what is specific to Crier. */
  modules: PathFile[]
  /** Files of `lib/`, which is independent of Crier: the database, the queue, SMTP, threads. */
  lib: PathFile[]
}

const scenes = {
  contactUpsert,
  hostedForm,
  importOfTwo,
  contactPage,
  webhookDelivery,
  campaignMail,
  codeExchange,
}

const warmUps = 3
/**
 * Timers and sweeps run beside some takes, so the path is what ran in all of them. On a busy machine
 * they run beside most: takes go on until some in a row leave out nothing more.
 */
const steadyTakes = 2
const mostTakes = 9

/** Import this after the coverage has begun, because code loaded earlier is not counted. */
export async function measurePaths(
  coverage: Coverage,
  names: readonly string[] = Object.keys(scenes),
): Promise<MeasuredPath[]> {
  const paths: MeasuredPath[] = []
  for (const [name, open] of Object.entries(scenes)) {
    if (!names.includes(name)) continue
    const scene = await open()
    try {
      for (let i = 0; i < warmUps; i++) await doOnce(scene, (go) => go())
      const all: Lines[] = []
      let [left, steady] = [Infinity, 0]
      while (steady < steadyTakes && all.length < mostTakes) {
        await doOnce(scene, async (go) => void all.push(await coverage.during(go)))
        const lines = linesOf(inEach(all))
        steady = lines === left ? steady + 1 : 0
        left = lines
      }
      const { lib = [], modules = [] } = Object.groupBy(inEach(all), ({ file }) =>
        file.startsWith('lib/') ? 'lib' : 'modules',
      )
      paths.push({ name: name as MeasuredPath['name'], modules, lib })
    } finally {
      await scene.close()
    }
  }
  return paths
}

async function doOnce(scene: Scene, how: (go: () => Promise<void>) => Promise<void>) {
  await scene.prepare()
  await how(() => scene.go())
}

function inEach([first, ...others]: readonly Lines[]): PathFile[] {
  return [...(first ?? [])]
    .map(([file, lines]) => ({
      file,
      lines: [...lines].filter((line) => others.every((other) => other.get(file)?.has(line)))
        .length,
    }))
    .filter(({ lines }) => lines > 0)
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}

export function linesOf(files: readonly PathFile[]): number {
  return files.reduce((total, { lines }) => total + lines, 0)
}
