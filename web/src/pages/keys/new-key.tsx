/** Creates a key: its permissions, lifetime and networks; then shows the key itself, once. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBusiness, useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { SaveFailure } from '../../parts/connections/save-failure.tsx'
import { useUnsaved } from '../../parts/use-unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Code, CopyButton } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, Input, Select } from '../../ui/field.tsx'
import { faultOf } from '../../ui/states.tsx'
import { limitWords } from '../../words/account.ts'
import { keyWords } from '../../words/api-keys.ts'
import { number, words } from '../../words/words.ts'

type Wanted = NonNullable<Parameters<typeof api.key.create>[0]>
type Scope = NonNullable<Wanted['scopes']>[number]
type Role = NonNullable<Wanted['role']>

const reads: readonly Scope[] = ['meta:read', 'audience:read', 'forms:read']
const writes: readonly Scope[] = [
  'audience:write',
  'forms:write',
  'messaging:send',
  'provisioning:write',
]

/** From the one that may do least. */
const roles: readonly Role[] = ['viewer', 'approver', 'editor', 'admin', 'owner']

/** What a key is for, with the least that this needs. */
const tasks = {
  send: { role: 'editor', scopes: ['meta:read', 'messaging:send'] },
  contacts: { role: 'editor', scopes: ['meta:read', 'audience:read', 'audience:write'] },
  forms: { role: 'editor', scopes: ['meta:read', 'forms:read', 'forms:write'] },
  read: { role: 'viewer', scopes: reads },
} as const satisfies Record<string, { role: Role; scopes: readonly Scope[] }>
type Task = keyof typeof tasks

/** Undefined where permissions or role are others than those of a task. */
function taskOf({ scopes, role }: Typed): Task | undefined {
  return (Object.keys(tasks) as Task[]).find((name) => {
    const task: { role: Role; scopes: readonly Scope[] } = tasks[name]
    const isSame = task.scopes.length === scopes.length
    return role === task.role && isSame && task.scopes.every((scope) => scopes.includes(scope))
  })
}

interface Typed {
  name: string
  scopes: readonly Scope[]
  /** The person's own where none is chosen. */
  role?: Role
  expires: string
  networks: string
  perDay: string
  transactional: string
  isTest?: boolean
}

const blank: Typed = {
  name: '',
  scopes: reads,
  expires: '',
  networks: '',
  perDay: '1000',
  transactional: '1000',
}

export function NewKey({ onClose }: { onClose: () => void }) {
  const business_id = useBusinessId()
  const apiKeys = keyWords
  const limits = limitWords
  const own = roles.indexOf((useBusiness()?.role ?? 'viewer') as Role)
  const [typed, setTyped] = useUnsaved<Typed>(`key ${business_id}`, blank)
  const set = (part: Partial<Typed>) => setTyped({ ...typed, ...part })
  const [isSend, setSend] = useState(false)
  const make = useMutation({
    meta: { asksForFreshSignIn: true },
    mutationFn: () => {
      const networks = typed.networks.split(/[\s,]+/).filter((entry) => entry !== '')
      return api.key.create({
        business_id,
        name: typed.name.trim(),
        scopes: [...typed.scopes],
        ...(typed.role && { role: typed.role }),
        ...(typed.expires !== '' && { expires_at: `${typed.expires}T23:59:59Z` }),
        ...(networks.length > 0 && { allowed_networks: networks }),
        ...(typed.perDay !== '' && { recipients_per_day: Number(typed.perDay) }),
        ...(typed.isTest && { test: true }),
        transactional_per_day: typed.transactional === '' ? null : Number(typed.transactional),
      })
    },
    onSuccess: ({ may_send }) => {
      setSend(may_send)
      setTyped(blank)
    },
  })
  if (make.data) {
    const { key, recipients_per_day, test } = make.data
    return (
      <Dialog open onClose={onClose} title={apiKeys.shownOnce} description={apiKeys.copyNow}>
        <Code>{key}</Code>
        {isSend && !test && <p>{apiKeys.maySend(number(recipients_per_day))}</p>}
        <DialogActions>
          <CopyButton text={key} label={words.copy} />
          <Button look="main" onClick={onClose}>
            {words.close}
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  const fault = faultOf(make.error)
  return (
    <Dialog open onClose={onClose} title={apiKeys.add}>
      <form className="grid gap-4" noValidate onSubmit={submit}>
        <Input
          label={apiKeys.name}
          hint={apiKeys.nameHint}
          maxLength={100}
          value={typed.name}
          onChange={({ target }) => set({ name: target.value })}
          fault={fault('name')}
        />
        <Checkbox
          label={apiKeys.test}
          checked={typed.isTest ?? false}
          onChange={({ target }) => set({ isTest: target.checked })}
        />
        <Select
          label={apiKeys.task}
          hint={apiKeys.taskHint}
          value={taskOf(typed) ?? ''}
          onChange={({ target }) => target.value !== '' && set(tasks[target.value as Task])}
          options={[
            ['', apiKeys.ownChoice],
            ...(Object.keys(tasks) as Task[]).map((name) => [name, apiKeys.tasks[name]] as const),
          ]}
        />
        <fieldset className="grid gap-2">
          <legend className="pb-1 text-sm font-medium">{apiKeys.may}</legend>
          {[...reads, ...writes].map((scope) => (
            <Checkbox
              key={scope}
              label={apiKeys.scopes[scope]}
              disabled={scope === 'meta:read'}
              checked={typed.scopes.includes(scope)}
              onChange={({ target }) =>
                set({
                  scopes: target.checked
                    ? [...typed.scopes, scope]
                    : typed.scopes.filter((word) => word !== scope),
                })
              }
            />
          ))}
        </fieldset>
        <Select
          label={apiKeys.role}
          hint={apiKeys.roleHint}
          value={typed.role ?? roles[own]}
          onChange={({ target }) => set({ role: target.value as Role })}
          options={roles.slice(0, own + 1).map((role) => [role, words.role[role] ?? role] as const)}
          fault={fault('role')}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Input
            label={apiKeys.expires}
            hint={apiKeys.expiresHint}
            type="date"
            value={typed.expires}
            onChange={({ target }) => set({ expires: target.value })}
            fault={fault('expires_at')}
          />
          {typed.scopes.includes('messaging:send') && (
            <Input
              label={apiKeys.recipients}
              type="number"
              min={0}
              value={typed.perDay}
              onChange={({ target }) => set({ perDay: target.value })}
              fault={fault('recipients_per_day')}
            />
          )}
          {typed.scopes.includes('messaging:send') && (
            <Input
              label={limits.transactional}
              hint={limits.transactionalHint}
              type="number"
              min={0}
              value={typed.transactional}
              onChange={({ target }) => set({ transactional: target.value })}
              fault={fault('transactional_per_day')}
            />
          )}
        </div>
        <Input
          label={apiKeys.networks}
          hint={apiKeys.networksHint}
          value={typed.networks}
          onChange={({ target }) => set({ networks: target.value })}
          fault={fault('allowed_networks')}
        />
        <SaveFailure error={make.error} signInAgain={apiKeys.signInAgain} />
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={make.isPending}>
            {apiKeys.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
