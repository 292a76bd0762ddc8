/** How much marketing one person gets: messages in a number of days, hours between two, what comes first. */
import { Checkbox, Input, Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { settingsWords } from '../../words/settings.ts'

interface Caps {
  max: number
  per: string
  gap?: string
  priority?: ('sequence' | 'campaign')[]
}

interface AttentionProps {
  saved: Caps | null
  /** As it was changed; empty for no cap. */
  change: Partial<Caps> | undefined
  onChange: (caps: Partial<Caps>) => void
  fault: (field: string) => string | undefined
}

/** The first number of a span such as `7 days`, in the smaller unit. */
function countOf(span: string | undefined, large: string, factor: number): number {
  const [count = '0', unit = ''] = (span ?? '').split(' ')
  return unit.startsWith(large) ? Number(count) * factor : Number(count)
}

export function Attention({ saved, change, onChange, fault }: AttentionProps) {
  const w = settingsWords.attention
  const caps = change ?? saved ?? {}
  const isOn = caps.max !== undefined
  const isInMinutes = caps.gap?.includes('minute')
  const gap = isInMinutes ? countOf(caps.gap, 'minute', 1) / 60 : countOf(caps.gap, 'hour', 1)
  const set = (part: Partial<Caps>) => {
    const { gap: nextGap, ...rest } = { ...caps, ...part }
    onChange({ ...rest, ...(nextGap && { gap: nextGap }) })
  }
  return (
    <Card title={w.title}>
      <div className="grid gap-4">
        <p className="text-muted">{w.text}</p>
        <Checkbox
          label={w.on}
          checked={isOn}
          onChange={({ target }) => onChange(target.checked ? { max: 3, per: '7 days' } : {})}
        />
        {isOn && (
          <div className="grid gap-4 sm:grid-cols-2">
            <Input
              label={w.max}
              type="number"
              min={1}
              max={100}
              value={caps.max}
              fault={fault('attention.max')}
              onChange={({ target }) => set({ max: Math.round(Number(target.value)) })}
            />
            <Input
              label={w.per}
              type="number"
              min={1}
              max={90}
              value={countOf(caps.per, 'week', 7)}
              fault={fault('attention.per')}
              onChange={({ target }) =>
                set({ per: `${target.value} ${target.value === '1' ? 'day' : 'days'}` })
              }
            />
            <Input
              label={w.gap}
              hint={w.gapHint}
              type="number"
              min={0}
              max={24}
              value={gap}
              fault={fault('attention.gap')}
              onChange={({ target }) => {
                const count = Math.round(Number(target.value))
                set({ gap: count > 0 ? `${count} ${count === 1 ? 'hour' : 'hours'}` : '' })
              }}
            />
            <Select
              label={w.first}
              value={caps.priority?.[0] ?? 'sequence'}
              onChange={({ target }) =>
                set({
                  priority:
                    target.value === 'campaign'
                      ? ['campaign', 'sequence']
                      : ['sequence', 'campaign'],
                })
              }
              options={[
                ['sequence', w.sequence],
                ['campaign', w.campaign],
              ]}
            />
          </div>
        )}
        <p className="text-sm text-muted">{w.own}</p>
      </div>
    </Card>
  )
}
