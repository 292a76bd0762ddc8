/** The script that puts a form on another site, and how it shows the form there. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Code, CopyButton } from '../../ui/copy.tsx'
import { Input, Select, TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { formWords } from '../../words/forms.ts'
import { words } from '../../words/words.ts'
import { type Form, linesOf } from './model.ts'

type Embed = NonNullable<Form['page']['embed']>

const shows = ['inline', 'popup', 'bar', 'button'] as const
const moments = ['time', 'scroll', 'leave'] as const

/** The settings while a person edits them: numbers as they are typed. */
interface Draft {
  show: (typeof shows)[number]
  on: (typeof moments)[number]
  after_seconds: string
  scroll_percent: string
  quiet_days: string
  label: string
  sites: string
}

function draftOf({ embed = {}, allowed_sites = [] }: Form['page']): Draft {
  return {
    show: embed.show ?? 'inline',
    on: embed.on ?? 'time',
    after_seconds: String(embed.after_seconds ?? 15),
    scroll_percent: String(embed.scroll_percent ?? 50),
    quiet_days: String(embed.quiet_days ?? 30),
    label: embed.label ?? '',
    sites: allowed_sites.join('\n'),
  }
}

/** What the chosen way needs; the rest is left out. */
function embedOf(draft: Draft): Embed {
  const { show, on, label } = draft
  return {
    show,
    ...(show === 'popup' && { on }),
    ...(show === 'popup' && on === 'time' && { after_seconds: Number(draft.after_seconds) }),
    ...(show === 'popup' && on === 'scroll' && { scroll_percent: Number(draft.scroll_percent) }),
    ...((show === 'popup' || show === 'bar') && { quiet_days: Number(draft.quiet_days) }),
    ...((show === 'bar' || show === 'button') && label.trim() !== '' && { label: label.trim() }),
  }
}

export function EmbedCard({ form }: { form: Form }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { share, sitesHint, texts } = formWords
  const { script } = share
  const stored = draftOf(form.page)
  const [changes, setChanges] = useState<Partial<Draft>>({})
  const draft = { ...stored, ...changes }
  const isChanged = Object.entries(changes).some(
    ([name, value]) => stored[name as keyof Draft] !== value,
  )
  const save = useMutation({
    mutationFn: () =>
      api.form.save({
        business_id,
        form_id: form.form_id,
        page: { embed: embedOf(draft), allowed_sites: linesOf(draft.sites) },
        if_version: form.version,
      }),
    onSuccess: () => {
      setChanges({})
      tell(words.saved)
    },
  })
  const fault = faultOf(save.error)
  const field = (name: keyof Draft) => ({
    value: draft[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setChanges({ ...changes, [name]: target.value }),
    fault: fault(name === 'sites' ? 'page.allowed_sites' : `page.embed.${name}`),
  })
  const count = (name: 'after_seconds' | 'scroll_percent' | 'quiet_days', unit: string) => (
    <Input label={unit} type="number" inputMode="numeric" {...field(name)} />
  )
  return (
    <Card title={script.title} actions={<CopyButton text={form.share.script} label={words.copy} />}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <p className="text-muted">{script.about}</p>
        <Code>{form.share.script}</Code>
        <fieldset disabled={!may} className="grid min-w-0 gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <Select
              label={script.show}
              options={shows.map((show) => [show, script.shows[show]] as const)}
              {...field('show')}
            />
            {draft.show === 'popup' && (
              <Select
                label={script.on}
                options={moments.map((moment) => [moment, script.moments[moment]] as const)}
                {...field('on')}
              />
            )}
            {draft.show === 'popup' &&
              draft.on === 'time' &&
              count('after_seconds', script.afterSeconds)}
            {draft.show === 'popup' &&
              draft.on === 'scroll' &&
              count('scroll_percent', script.scrollPercent)}
            {(draft.show === 'popup' || draft.show === 'bar') &&
              count('quiet_days', script.quietDays)}
            {(draft.show === 'bar' || draft.show === 'button') && (
              <Input label={script.label} maxLength={60} {...field('label')} />
            )}
          </div>
          <TextArea
            label={texts.allowed_sites}
            hint={sitesHint}
            rows={2}
            placeholder="https://shop.example"
            {...field('sites')}
          />
        </fieldset>
        {stored.sites === '' && <p className="text-warn">{script.noSite}</p>}
        {save.error && <Failure error={save.error} />}
        {may && (
          <Button
            type="submit"
            className="justify-self-start"
            busy={save.isPending}
            disabled={!isChanged}
          >
            {words.save}
          </Button>
        )}
      </form>
    </Card>
  )
}
