/** Debian's Prometheus, with our rules, over targets of a test. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '../support/network/port.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'

export const promtool = '/usr/bin/promtool'
const program = '/usr/bin/prometheus'
export const withoutPrometheus = missingPrograms(program, promtool) ?? false

export interface Answer {
  result?: { value: [number, string] }[]
  groups?: { rules: { health: string }[] }[]
  alerts?: { state: string; labels: Record<string, string> }[]
}

export interface Prometheus {
  /** Undefined while it does not answer yet. */
  ask(what: string): Promise<Answer | undefined>
  /** The names of the alerts that fire now. */
  firing(): Promise<string[]>
  stop(): Promise<void>
}

export async function startPrometheus(
  folder: string,
  { rules, targets }: { rules: string; targets: readonly string[] },
): Promise<Prometheus> {
  const port = await freePort()
  const file = path.join(folder, 'prometheus.yml')
  writeFileSync(
    file,
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [${rules}]
scrape_configs:
  - job_name: crier
    static_configs: [{ targets: [${targets.map((target) => `'${target}'`).join(', ')}] }]
`,
  )
  const flags = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${path.join(folder, 'tsdb')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  const child = spawn(program, flags, { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const ask = async (what: string): Promise<Answer | undefined> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${what}`).catch(() => undefined)
    return answer?.ok ? ((await answer.json()) as { data: Answer }).data : undefined
  }
  return {
    ask,
    async firing() {
      const { alerts = [] } = (await ask('alerts')) ?? {}
      const names = alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels }) => labels['alertname'] ?? '')
      return [...new Set(names)].toSorted()
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
