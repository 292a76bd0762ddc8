/** The results of the dry run, and a person's choices before anything is saved. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useUnsaved } from '../../parts/use-unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Input, Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { contactWords } from '../../words/contacts.ts'
import { importWords } from '../../words/imports.ts'
import { language } from '../../words/texts.ts'
import { number } from '../../words/words.ts'
import { argumentsOf, type Choices, choicesOf, countries, type Reason, reasons } from './choices.ts'
import { ConsentWords } from './consent-words.tsx'
import { Found } from './found.tsx'
import type { Import } from './import.tsx'
import { Mapping } from './mapping.tsx'

export function Review({ one }: { one: Import }) {
  const business_id = useBusinessId()
  const { import_id, columns, doubtful, text, kind } = one
  const imports = importWords
  const told = choicesOf(one)
  const [unsaved, setChoices] = useUnsaved<Choices>(`import ${import_id}`, told)
  // What a tab stored before an upgrade may lack a part.
  const choices = { ...told, ...unsaved }
  // Kept apart from the choices: the service does not give it back after another check.
  const [lettersAreRight, setLettersAreRight] = useUnsaved(`letters of ${import_id}`, false)
  const [tried, setTried] = useState(false)
  const letters = useRef<HTMLInputElement>(null)
  const set = (part: Partial<Choices>) => setChoices({ ...choices, ...part })
  const confirm = useMutation({
    mutationFn: ({ dry_run, encoding }: { dry_run: boolean; encoding?: string }) =>
      api.import.confirm({
        business_id,
        import_id,
        ...argumentsOf(choices, {
          kind,
          encoding: encoding ?? (lettersAreRight ? text?.encoding : undefined),
        }),
        ...(dry_run && { dry_run }),
      }),
    onSuccess: () => setChoices(told),
  })
  const cancel = useMutation({
    mutationFn: () => api.import.cancel({ business_id, import_id }),
  })
  const fault = faultOf(confirm.error)
  const missing = missingIn(choices, kind)
  const isChanged = JSON.stringify(choices) !== JSON.stringify(told)
  const mustLook = text?.is_guess === true && !lettersAreRight
  return (
    <form
      className="grid gap-6"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (mustLook) letters.current?.focus()
        else if (!missing.source && !missing.text) confirm.mutate({ dry_run: false })
      }}
    >
      <Found one={one} />
      {text?.is_guess && (
        <Card title={imports.letters.title}>
          <div className="grid gap-3">
            <p>{imports.letters.about}</p>
            <p className="rounded-md bg-sunken px-2.5 py-1.5 font-mono text-sm">
              <bdi>{doubtful?.join(' · ')}</bdi>
            </p>
            <Select
              label={imports.letters.encoding}
              hint={imports.letters.encodingHint}
              value={text.encoding}
              onChange={({ target }) => {
                setLettersAreRight(false)
                confirm.mutate({ dry_run: true, encoding: target.value })
              }}
              fault={fault('encoding')}
              options={Object.entries(imports.letters.encodings)}
            />
            <Checkbox
              label={imports.letters.right}
              ref={letters}
              checked={lettersAreRight}
              onChange={({ target }) => setLettersAreRight(target.checked)}
            />
            {tried && mustLook && (
              <p role="alert" className="text-sm text-bad">
                {imports.letters.first}
              </p>
            )}
          </div>
        </Card>
      )}
      {one.choices?.remembered && <p className="text-muted">{imports.map.remembered}</p>}
      <Mapping
        kind={kind}
        columns={columns ?? []}
        mapping={choices.mapping}
        values={choices.values}
        onChange={(mapping) => set({ mapping })}
        onValues={(values) => set({ values })}
        fault={fault}
      />
      <PhoneCountry one={one} choices={choices} set={set} fault={fault} />
      {kind === 'suppressions' && (
        <Card title={imports.reason.title}>
          <Select
            label={imports.reason.label}
            value={choices.reason}
            onChange={({ target }) => set({ reason: target.value as Reason })}
            fault={fault('reason')}
            options={reasons.map((reason) => [reason, imports.reason.reasons[reason]] as const)}
          />
        </Card>
      )}
      {kind === 'contacts' && (
        <ConsentWords
          choices={choices}
          onChange={set}
          fault={fault}
          missing={tried ? missing : {}}
          without={one.found?.without_evidence ?? 0}
        />
      )}
      {kind === 'contacts' && <HowItIsImported choices={choices} set={set} fault={fault} />}
      {(confirm.error ?? cancel.error) && <Failure error={confirm.error ?? cancel.error} />}
      <div className="sticky bottom-0 -mx-5 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-surface px-5 py-3 max-sm:-mx-4 max-sm:px-4">
        <Button
          look="danger"
          className="mr-auto"
          busy={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {imports.cancel}
        </Button>
        {isChanged && (
          <Button busy={confirm.isPending} onClick={() => confirm.mutate({ dry_run: true })}>
            {imports.checkAgain}
          </Button>
        )}
        <Button look="main" type="submit" busy={confirm.isPending}>
          {isChanged ? imports.start : imports.startMany(number(one.found?.valid ?? 0))}
        </Button>
      </div>
    </form>
  )
}

/** Whoever agreed did so somewhere, to something: without both the service takes no consent. */
function missingIn({ agreed, source, text }: Choices, kind: Import['kind']) {
  if (kind !== 'contacts' || !(agreed.email || agreed.sms)) return {}
  const { sourceMissing, textMissing } = importWords.consent
  return {
    ...(source.trim() === '' && { source: sourceMissing }),
    ...(text.trim() === '' && { text: textMissing }),
  }
}

/** The country of numbers without a country code, where the file has phone numbers. */
function PhoneCountry({ one, choices, set, fault }: MoreProps & { one: Import }) {
  const { phones } = importWords
  const national = (one.columns ?? []).filter((column) => column.national_numbers)
  const hasPhones = Object.values(choices.mapping).includes('phone')
  if (national.length === 0 && !hasPhones && choices.country === '') return null
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const options = countries
    .map((code) => [code, names.of(code) ?? code] as const)
    .sort(([, a], [, b]) => a.localeCompare(b, language))
  const choose = (country: string) => {
    // Numbers that were kept as text become the phone numbers that they are.
    const [first] = country === '' || hasPhones ? [] : national
    set({ country, mapping: { ...choices.mapping, ...(first && { [first.column]: 'phone' }) } })
  }
  return (
    <Card title={phones.title}>
      <Select
        label={phones.label}
        hint={phones.hint}
        value={choices.country}
        onChange={({ target }) => choose(target.value)}
        fault={fault('country')}
        options={[['', phones.none] as const, ...options]}
      />
    </Card>
  )
}

/** Topics of those who agreed. Nothing is shown where the business has none. */
function Topics({ choices, set }: Omit<MoreProps, 'fault'>) {
  const business_id = useBusinessId()
  const { data } = useQuery({
    queryKey: ['topic.list', business_id],
    queryFn: ({ signal }) => api.topic.list({ business_id }, { signal }),
  })
  const topics = data?.topics.filter(({ archived }) => !archived) ?? []
  if (topics.length === 0) return null
  const { more } = importWords
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 text-sm font-medium">{more.topics}</legend>
      {topics.map(({ topic, name }) => (
        <Checkbox
          key={topic}
          label={name}
          checked={choices.topics.includes(topic)}
          onChange={({ target }) =>
            set({
              topics: target.checked
                ? [...choices.topics, topic]
                : choices.topics.filter((chosen) => chosen !== topic),
            })
          }
        />
      ))}
      <p className="text-sm text-muted">{more.topicsHint}</p>
    </fieldset>
  )
}

/** Custom fields with one value for everybody. */
function FieldsForAll({ choices, set, fault }: MoreProps) {
  const { more } = importWords
  const { fields } = choices
  const change = (at: number, part: Partial<Choices['fields'][number]>) =>
    set({ fields: fields.map((field, i) => (i === at ? { ...field, ...part } : field)) })
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 text-sm font-medium">{more.fields}</legend>
      {fields.map(({ key, value }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a field has no other name while it is typed.
        <div key={i} className="grid grid-cols-2 gap-2">
          <Input
            label={contactWords.form.key}
            hidden
            placeholder={contactWords.form.key}
            maxLength={64}
            value={key}
            onChange={({ target }) => change(i, { key: target.value })}
            fault={fault(`defaults.attributes.${key}`)}
          />
          <Input
            label={contactWords.form.value}
            hidden
            placeholder={contactWords.form.value}
            maxLength={500}
            value={value}
            onChange={({ target }) => change(i, { value: target.value })}
          />
        </div>
      ))}
      <div>
        <Button onClick={() => set({ fields: [...fields, { key: '', value: '' }] })}>
          {contactWords.form.addField}
        </Button>
      </div>
      <p className="text-sm text-muted">{more.fieldsHint}</p>
    </fieldset>
  )
}

interface MoreProps {
  choices: Choices
  set: (part: Partial<Choices>) => void
  fault: (field: string) => string | undefined
}

function HowItIsImported({ choices, set, fault }: MoreProps) {
  const imports = importWords
  return (
    <Card title={imports.more.title}>
      <div className="grid gap-4">
        <Input
          label={imports.more.tags}
          hint={contactWords.form.tagsHint}
          value={choices.tags}
          onChange={({ target }) => set({ tags: target.value })}
          fault={fault('tags')}
        />
        {(choices.agreed.email || Object.values(choices.mapping).includes('consent.email')) && (
          <Topics choices={choices} set={set} />
        )}
        <FieldsForAll choices={choices} set={set} fault={fault} />
        <Select
          label={imports.more.mode}
          value={choices.mode}
          onChange={({ target }) => set({ mode: target.value as Choices['mode'] })}
          options={Object.entries(imports.more.modes)}
        />
        <Checkbox
          label={imports.more.blanks}
          hint={imports.more.blanksHint}
          checked={choices.blanksErase}
          onChange={({ target }) => set({ blanksErase: target.checked })}
        />
      </div>
    </Card>
  )
}
