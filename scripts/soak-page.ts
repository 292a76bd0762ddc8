/** docs/soak.md: one section for each loop, each with the day and the machine that it ran on. */
import { readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'

/** Replaces the section with this heading, or adds it at the end. */
export async function writeSection(file: string, section: string): Promise<void> {
  const cpu = os.cpus()[0]?.model.trim() ?? 'unknown CPU'
  const day = new Date().toISOString().slice(0, 10)
  const taken = `Taken on ${day}; ${cpu}, ${os.cpus().length} cores, Node ${process.versions.node}.`
  const [heading = '', ...rest] = section.trim().split('\n')
  const [intro = '', ...sections] = (await readFile(file, 'utf8')).split(/^(?=## )/m)
  const at = sections.findIndex((entry) => entry.startsWith(`${heading}\n`))
  const text = `${heading}\n\n${taken}\n${rest.join('\n')}`
  sections.splice(at < 0 ? sections.length : at, at < 0 ? 0 : 1, text)
  const blocks = [intro, ...sections].map((block) => block.trim())
  await writeFile(file, `${blocks.join('\n\n')}\n`)
}
