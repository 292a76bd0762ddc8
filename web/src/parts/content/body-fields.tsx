/** The fields of a mail or a text, in the format in which it is written. */
import { type ReactNode, Suspense } from 'react'
import { TextArea } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Skeleton } from '../../ui/states.tsx'
import { contentWords } from '../../words/content.ts'
import type { BodyFormat, Channel, Content } from './content.ts'

// Loaded with its words and its editor where a mail is written in blocks.
const MailCanvas = lazyPart(() => import('../mail-editor/canvas.tsx'), 'MailCanvas')

// With the editor of words, which the canvas brings, too.
const WordsField = lazyPart(() => import('../mail-editor/words-field.tsx'), 'WordsField')

interface BodyFieldsProps {
  channel: Channel
  format: BodyFormat
  value: Content
  onChange: (change: Content) => void
  fault: (field: string) => string | undefined
  /** What the service finds wrong with the blocks. */
  error: unknown
  may: boolean
  /** In place of the blocks. */
  preview: ReactNode
}

export function BodyFields({
  channel,
  format,
  value,
  onChange,
  fault,
  error,
  may,
  preview,
}: BodyFieldsProps) {
  const w = contentWords
  if (channel === 'sms') {
    return (
      <Suspense fallback={<Skeleton lines={6} />}>
        <WordsField
          kind="lines"
          label={w.sms}
          isRequired
          value={value.text ?? ''}
          onChange={(text) => onChange({ text })}
          fault={fault('text')}
          may={may}
        />
      </Suspense>
    )
  }
  return (
    <>
      <Suspense fallback={<Skeleton lines={5} />}>
        <WordsField
          kind="line"
          label={w.fields.subject}
          isRequired
          value={value.subject ?? ''}
          onChange={(subject) => onChange({ subject })}
          fault={fault('subject')}
          may={may}
        />
        <WordsField
          kind="line"
          label={w.fields.preheader}
          hint={w.preheaderHint}
          value={value.preheader ?? ''}
          onChange={(preheader) => onChange({ preheader })}
          fault={fault('preheader')}
          may={may}
        />
      </Suspense>
      {preview}
      {format === 'blocks' && !preview && (
        <Suspense fallback={<Skeleton lines={9} />}>
          <MailCanvas
            blocks={value.blocks ?? []}
            onChange={(blocks) => onChange({ blocks })}
            error={error}
            may={may}
          />
        </Suspense>
      )}
      {format !== 'blocks' && (
        <TextArea
          disabled={!may}
          key={format}
          label={w.sources[format]}
          hint={w.liquid}
          required
          rows={16}
          spellCheck={false}
          className="font-mono text-sm"
          value={value[format] ?? ''}
          onChange={({ target }) => onChange({ [format]: target.value })}
          fault={fault(format)}
        />
      )}
      <details open={value.text !== undefined && value.text !== ''}>
        <summary className="cursor-pointer max-sm:min-h-6 text-sm font-medium">{w.ownText}</summary>
        <div className="pt-2">
          <Suspense fallback={<Skeleton lines={6} />}>
            <WordsField
              kind="lines"
              label={w.fields.text}
              hint={w.textHint}
              value={value.text ?? ''}
              onChange={(text) => onChange({ text })}
              fault={fault('text')}
              may={may}
            />
          </Suspense>
        </div>
      </details>
    </>
  )
}
