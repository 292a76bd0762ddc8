import type { Log } from 'crier-server/lib/process/log.ts'

export interface KeptLine {
  level: 'info' | 'warn' | 'error'
  event: string
  facts: Record<string, unknown>
}

/** A log that keeps its lines, except those of debugging. */
export function keptLog(): { log: Log; lines: KeptLine[] } {
  const lines: KeptLine[] = []
  const keeping = (level: KeptLine['level']) =>
    ((facts: Record<string, unknown> | string, event?: string) => {
      if (typeof facts === 'string') lines.push({ level, event: facts, facts: {} })
      else lines.push({ level, event: String(event), facts })
    }) as Log['info']
  const log = {
    debug: () => {},
    info: keeping('info'),
    warn: keeping('warn'),
    error: keeping('error'),
    isLevelEnabled: (level: string) => level !== 'debug',
  }
  return { log: log as Log, lines }
}
