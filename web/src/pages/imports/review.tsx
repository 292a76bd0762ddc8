/** The results of the dry run, and a person's choices before anything is saved. */
import { useMutation } from '@tanstack/react-query'
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
import { number } from '../../words/words.ts'
import { argumentsOf, type Choices, choicesOf, type Reason, reasons } from './choices.ts'
import { ConsentWords } from './consent-words.tsx'
import { Found } from './found.tsx'
import type { Import } from './import.tsx'
import { Mapping } from './mapping.tsx'

export function Review({ one }: { one: Import }) {
  const business_id = useBusinessId()
  const { import_id, columns, doubtful, text, kind } = one
  const imports = importWords
  const told = choicesOf(one)
  const [choices, setChoices] = useUnsaved<Choices>(`import ${import_id}`, told)
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
      <Mapping
        kind={kind}
        columns={columns ?? []}
        mapping={choices.mapping}
        onChange={(mapping) => set({ mapping })}
        fault={fault}
      />
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
