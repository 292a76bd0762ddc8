/** A file alone subscribes nobody: the importing person states where and to what they agreed. */
import { Checkbox, Input, TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { importWords } from '../../words/imports.ts'
import { number } from '../../words/words.ts'
import { type Choices, channels } from './choices.ts'

interface ConsentWordsProps {
  choices: Choices
  onChange: (part: Partial<Choices>) => void
  fault: (field: string) => string | undefined
  /** The number of rows that are subscribed but have no source. */
  without: number
  /** What to say where one of the two words is missing. */
  missing: { source?: string; text?: string }
}

export function ConsentWords({ choices, onChange, fault, without, missing }: ConsentWordsProps) {
  const { consent } = importWords
  const { agreed, source, text } = choices
  return (
    <Card title={consent.title}>
      <div className="grid gap-4">
        <p className="text-muted">{consent.about}</p>
        {without > 0 && <p>{consent.without(number(without))}</p>}
        <div className="grid gap-2">
          {channels.map((channel) => (
            <Checkbox
              key={channel}
              label={consent.agreed[channel]}
              checked={agreed[channel]}
              onChange={({ target }) =>
                onChange({ agreed: { ...agreed, [channel]: target.checked } })
              }
            />
          ))}
        </div>
        {(agreed.email || agreed.sms) && (
          <>
            <Input
              label={consent.source}
              hint={consent.sourceHint}
              required
              maxLength={200}
              value={source}
              onChange={({ target }) => onChange({ source: target.value })}
              fault={missing.source ?? fault('consent.email.source') ?? fault('consent.sms.source')}
            />
            <TextArea
              label={consent.text}
              hint={consent.textHint}
              required
              rows={2}
              value={text}
              onChange={({ target }) => onChange({ text: target.value })}
              fault={missing.text ?? fault('consent.email.text') ?? fault('consent.sms.text')}
            />
          </>
        )}
      </div>
    </Card>
  )
}
