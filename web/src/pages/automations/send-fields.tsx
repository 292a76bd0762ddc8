/** The fields of a step that sends: a mail or a text that exists, one of the gallery, or words written here. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import type { Filter } from '../../parts/filter/model.ts'
import type { GalleryChoice } from '../../parts/gallery/gallery.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Input, Select, TextArea } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { automationWords } from '../../words/automations.ts'
import { ConditionField } from './condition-field.tsx'
import { kindOf } from './model.ts'
import type { StepProps } from './steps-editor.tsx'
import { useNames } from './use-names.ts'

const Gallery = lazyPart(() => import('../../parts/gallery/gallery.tsx'), 'Gallery')

interface Words {
  subject?: string
  text?: string
  blocks?: { type: string; text?: string }[]
}

/** The text that the fields show; undefined for content that they cannot, such as HTML. */
function shownWords(content: Words): string | undefined {
  const { text, blocks } = content
  if (Object.keys(content).some((key) => !['subject', 'text', 'blocks'].includes(key))) {
    return undefined
  }
  if (blocks === undefined) return text ?? ''
  const [block, ...more] = blocks
  return more.length === 0 && block?.type === 'text' ? (block.text ?? '') : undefined
}

export function SendFields({ step, path, faults, onChange }: StepProps) {
  const business_id = useBusinessId()
  const { automation } = useParams({ strict: false })
  const client = useQueryClient()
  const names = useNames()
  const [isChoosing, setChoosing] = useState(false)
  const w = automationWords
  const isText = kindOf(step) === 'sms'
  const channel = isText ? 'sms' : 'email'
  const { template_id: id, content } = step['send'] as { template_id?: string; content?: Words }
  const templates = [...names.templates].filter(([name]) => names.texts.has(name) === isText)
  const make = useMutation({
    mutationFn: ({ gallery, slots }: GalleryChoice) =>
      api.template.save({ business_id, gallery, slots }),
    onSuccess: async ({ template_id }) => {
      await client.invalidateQueries({ queryKey: ['template.list', business_id] })
      onChange({ ...step, send: { template_id } })
      setChoosing(false)
    },
  })
  return (
    <>
      {id !== undefined && (
        <Select
          label={isText ? w.text : w.mail}
          value={id}
          aria-invalid={faults.has(path) || undefined}
          onChange={({ target }) => onChange({ ...step, send: { template_id: target.value } })}
          options={[
            ['', isText ? w.chooseText : w.chooseMail],
            ...templates,
            ...(id !== '' && !names.templates.has(id) ? [[id, w.said.ownMail] as const] : []),
          ]}
        />
      )}
      {content && (
        <OwnWords
          content={content}
          isText={isText}
          isWrong={faults.has(path)}
          onChange={(next) => onChange({ ...step, send: { content: next } })}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button icon="plus" onClick={() => setChoosing(true)}>
          {isText ? w.textFromGallery : w.mailFromGallery}
        </Button>
        {content ? (
          <Button onClick={() => onChange({ ...step, send: { template_id: '' } })}>
            {isText ? w.chooseText : w.chooseMail}
          </Button>
        ) : (
          <Button
            icon="pen"
            onClick={() =>
              onChange({
                ...step,
                send: {
                  content: isText
                    ? { text: '' }
                    : { subject: '', blocks: [{ type: 'text', text: '' }] },
                },
              })
            }
          >
            {w.writeHere}
          </Button>
        )}
        {id !== undefined && id !== '' && (
          <Link
            to="/$business/templates/$template"
            params={{ business: business_id, template: id }}
            search={automation === undefined || automation === 'new' ? {} : { automation }}
            className="self-center text-link hover:underline"
          >
            {isText ? w.editText : w.editMail}
          </Link>
        )}
      </div>
      <ConditionField
        {...(step['if'] !== undefined && { name: w.onlyIf })}
        add={w.onlyIf}
        filter={step['if'] as Filter | undefined}
        onChange={(filter) => {
          const { if: _before, ...rest } = step
          onChange({ ...rest, ...(filter && { if: filter }) })
        }}
      />
      {isChoosing && (
        <Dialog
          open
          wide
          onClose={() => setChoosing(false)}
          title={isText ? w.textFromGallery : w.mailFromGallery}
        >
          {make.error && <Failure error={make.error} />}
          <Suspense fallback={<Skeleton />}>
            <Gallery
              channel={channel}
              isBusy={make.isPending}
              onTake={(choice: GalleryChoice) => make.mutate(choice)}
            />
          </Suspense>
        </Dialog>
      )}
    </>
  )
}

interface OwnWordsProps {
  content: Words
  isText: boolean
  isWrong: boolean
  onChange: (content: Words) => void
}

/** A save makes a template of them, which opens in the editor of mails from then on. */
function OwnWords({ content, isText, isWrong, onChange }: OwnWordsProps) {
  const w = automationWords
  const words = shownWords(content)
  if (words === undefined) return <p className="text-muted">{w.said.ownMail}</p>
  return (
    <div className="grid gap-3">
      {!isText && (
        <Input
          label={w.subject}
          value={content.subject ?? ''}
          aria-invalid={isWrong || undefined}
          onChange={({ target }) => onChange({ ...content, subject: target.value })}
        />
      )}
      <TextArea
        label={isText ? w.text : w.mailText}
        hint={w.writeHint}
        rows={isText ? 3 : 6}
        value={words}
        aria-invalid={isWrong || undefined}
        onChange={({ target }) =>
          onChange(
            isText
              ? { text: target.value }
              : {
                  subject: content.subject ?? '',
                  blocks: [{ type: 'text', text: target.value }],
                },
          )
        }
      />
    </div>
  )
}
