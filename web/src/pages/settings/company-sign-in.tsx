/** The company sign-in of a business: its identity provider, domains with their records, and roles. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, Input, Select, TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { companyWords } from '../../words/company.ts'
import { memberWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'

type Company = Awaited<ReturnType<typeof api.company.get>>
type SaveInput = Parameters<typeof api.company.save>[0]

const keyOf = (business_id: string) => ['company.get', business_id]

/** For owners. */
export function CompanySignIn() {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const [asked, ask] = useState<'edit' | 'remove'>()
  const { data, error } = useQuery({
    queryKey: keyOf(business_id),
    queryFn: ({ signal }) => api.company.get({ business_id }, { signal }),
  })
  const show = (company: Company) => client.setQueryData(keyOf(business_id), company)
  const close = () => ask(undefined)
  return (
    <Card
      title={companyWords.title}
      actions={
        data && (
          <>
            {data.provider && (
              <Button look="danger" onClick={() => ask('remove')}>
                {companyWords.remove}
              </Button>
            )}
            <Button onClick={() => ask('edit')}>
              {data.provider ? companyWords.change : companyWords.setUp}
            </Button>
          </>
        )
      }
    >
      <div className="grid gap-3">
        <p className="text-muted">{companyWords.about}</p>
        {error && <Failure error={error} />}
        {data?.provider && (
          <p>
            <bdi className="font-medium">{data.provider.name}</bdi>
            <span className="text-muted"> · {data.provider.issuer}</span>
          </p>
        )}
        {data?.domains.map((domain) => (
          <DomainLine key={domain.domain} domain={domain} onChecked={show} />
        ))}
      </div>
      {asked === 'edit' && data && <ProviderForm company={data} onSaved={show} onClose={close} />}
      {asked === 'remove' && <Removal onRemoved={show} onClose={close} />}
    </Card>
  )
}

function DomainLine({
  domain: { domain, proven_at, record_name, record_value },
  onChecked,
}: {
  domain: Company['domains'][number]
  onChecked: (company: Company) => void
}) {
  const business_id = useBusinessId()
  const check = useMutation({
    mutationFn: () => api.company.prove({ business_id, domain }),
    onSuccess: ({ outcome, ...company }) => {
      if (outcome === 'proven') tell(companyWords.outcomes[outcome] ?? outcome)
      onChecked(company)
    },
  })
  return (
    <div className="grid gap-1 border-t border-line pt-3">
      <div className="flex flex-wrap items-center gap-2">
        <bdi className="min-w-0 flex-1 truncate font-medium">{domain}</bdi>
        <Badge tone={proven_at === null ? 'warn' : 'good'}>
          {proven_at === null ? companyWords.unproven : companyWords.proven}
        </Badge>
        <Button busy={check.isPending} onClick={() => check.mutate()}>
          {companyWords.check}
        </Button>
      </div>
      <dl className="grid gap-1 text-sm">
        <dt className="text-muted">{companyWords.recordName}</dt>
        <dd>
          <Copyable text={record_name} />
        </dd>
        <dt className="text-muted">{companyWords.recordValue}</dt>
        <dd>
          <Copyable text={record_value} />
        </dd>
      </dl>
      {check.data && check.data.outcome !== 'proven' && (
        <p className="text-sm text-warn" role="status">
          {companyWords.outcomes[check.data.outcome]}
        </p>
      )}
      {check.error && <Failure error={check.error} />}
    </div>
  )
}

/** One group a line: `name = role`. */
const linesOf = (roles: readonly { group: string; role: string }[]) =>
  roles.map(({ group, role }) => `${group} = ${role}`).join('\n')

function rolesIn(text: string): NonNullable<SaveInput['roles']> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const at = line.lastIndexOf('=')
    const role = line.slice(at + 1).trim() as NonNullable<SaveInput['roles']>[number]['role']
    return { group: line.slice(0, Math.max(at, 0)).trim(), role }
  })
}

function ProviderForm({
  company: { provider, domains, return_url },
  onSaved,
  onClose,
}: {
  company: Company
  onSaved: (company: Company) => void
  onClose: () => void
}) {
  const business_id = useBusinessId()
  const [issuer, setIssuer] = useState(provider?.issuer ?? '')
  const [clientId, setClientId] = useState(provider?.client_id ?? '')
  const [secret, setSecret] = useState('')
  const [name, setName] = useState(provider?.name ?? '')
  const [trusts, setTrusts] = useState(provider?.trusts_addresses ?? false)
  const [only, setOnly] = useState(provider?.only ?? false)
  const [groups, setGroups] = useState(linesOf(provider?.roles ?? []))
  const [role, setRole] = useState(provider?.default_role ?? '')
  const [names, setNames] = useState(domains.map(({ domain }) => domain).join('\n'))
  const save = useMutation({
    mutationFn: () =>
      api.company.save({
        business_id,
        issuer: issuer.trim(),
        client_id: clientId.trim(),
        ...(secret !== '' && { client_secret: secret }),
        name,
        trusts_addresses: trusts,
        only,
        roles: rolesIn(groups),
        default_role: role === '' ? null : (role as SaveInput['default_role'] & string),
        domains: names.split(/\s+/).filter((domain) => domain !== ''),
      }),
    onSuccess: (company) => {
      tell(words.saved)
      onSaved(company)
      onClose()
    },
  })
  const fault = faultOf(save.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const { owner: _owner, ...roles } = memberWords.roles
  return (
    <Dialog open onClose={onClose} title={companyWords.title} description={companyWords.formAbout}>
      <form onSubmit={submit} className="grid grid-cols-1 gap-4">
        <div className="grid grid-cols-1 gap-1">
          <p className="text-sm font-medium">{companyWords.returnUrl}</p>
          <Copyable text={return_url} />
        </div>
        <Input
          label={companyWords.issuer}
          hint={companyWords.issuerHint}
          type="url"
          required
          value={issuer}
          onChange={({ target }) => setIssuer(target.value)}
          fault={fault('issuer')}
        />
        <Input
          label={companyWords.clientId}
          required
          value={clientId}
          onChange={({ target }) => setClientId(target.value)}
          fault={fault('client_id')}
        />
        <Input
          label={companyWords.clientSecret}
          hint={provider?.has_secret ? companyWords.secretStays : undefined}
          type="password"
          autoComplete="off"
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
          fault={fault('client_secret')}
        />
        <Input
          label={companyWords.name}
          required
          maxLength={60}
          value={name}
          onChange={({ target }) => setName(target.value)}
          fault={fault('name')}
        />
        <TextArea
          label={companyWords.domains}
          hint={companyWords.domainsHint}
          required
          rows={2}
          value={names}
          onChange={({ target }) => setNames(target.value)}
          fault={fault('domains')}
        />
        <TextArea
          label={companyWords.groups}
          hint={companyWords.groupsHint}
          rows={3}
          value={groups}
          onChange={({ target }) => setGroups(target.value)}
          fault={fault('roles')}
        />
        <Select
          label={companyWords.defaultRole}
          value={role}
          onChange={({ target }) => setRole(target.value)}
          options={[['', companyWords.noRole], ...Object.entries(roles)]}
        />
        <Checkbox
          label={companyWords.trusts}
          hint={companyWords.trustsHint}
          checked={trusts}
          onChange={({ target }) => setTrusts(target.checked)}
        />
        <Checkbox
          label={companyWords.only}
          hint={companyWords.onlyHint}
          checked={only}
          onChange={({ target }) => setOnly(target.checked)}
        />
        {save.error && <Failure error={save.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={save.isPending}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Removal({
  onRemoved,
  onClose,
}: {
  onRemoved: (company: Company) => void
  onClose: () => void
}) {
  const business_id = useBusinessId()
  const work = useMutation({
    mutationFn: () => api.company.remove({ business_id }),
    onSuccess: (company) => {
      onRemoved(company)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={companyWords.removeTitle}
      description={companyWords.removeText}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={work.isPending} onClick={() => work.mutate()}>
          {companyWords.remove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
