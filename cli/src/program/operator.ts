/** The commands of one who runs a server. They work beside it, with its settings. */
import type { Command } from 'commander'
import type { NewBusiness } from '../commands/operator/businesses.ts'
import type { NewUser } from '../commands/operator/users.ts'
import { addBackups } from './backups.ts'

export function addOperatorCommands(crier: Command): void {
  crier
    .command('serve')
    .description('Run the service until Ctrl-C.')
    .option('--role <role>', 'api, worker or all (default: ROLE, else all)')
    .action(async (options: { role?: string }) => {
      const { serve } = await import('../commands/operator/serve.ts')
      await serve(options)
    })

  crier
    .command('migrate')
    .description("Bring the database's schema up to date; serve does it too.")
    .action(async () => {
      const { migrate } = await import('../commands/operator/migrate.ts')
      await migrate()
    })

  crier
    .command('doctor')
    .description('Look at settings, database, secret, port and mail, and say what is wrong.')
    .action(async () => {
      const { doctor } = await import('../commands/operator/doctor.ts')
      process.exitCode = await doctor()
    })

  addBusinesses(crier.command('businesses').description('The businesses of this installation.'))
  crier
    .command('setup-link')
    .description('Print the link that makes the first user, while there is none.')
    .action(async () => {
      const { showSetupLink } = await import('../commands/operator/users.ts')
      await showSetupLink()
    })

  const users = crier.command('users').description('The people of its businesses.')
  addUsers(users)
  addUserLists(users)
  addConnections(crier.command('connections').description('Who is connected with which app.'))
  addDomains(crier.command('domains').description('The sender domains of all businesses.'))
  addJobs(crier.command('jobs').description('Work of the queue that was laid aside.'))
  addBackups(crier)
  addSecret(crier.command('secret').description('The secret that opens what is sealed.'))
  addClients(crier.command('clients').description('The apps that may connect.'))
}

function addBusinesses(businesses: Command): void {
  businesses
    .command('create')
    .description('Make a business and its owner.')
    .option('--name <name>', 'its name')
    .option('--owner <email>', "the owner's email address")
    .option('--tier <tier>', 'free, growth or scale (default: DEFAULT_TIER)')
    .action(async (options: NewBusiness) => {
      const { createBusiness } = await import('../commands/operator/businesses.ts')
      await createBusiness(options)
    })

  businesses
    .command('list')
    .description('List them, oldest first.')
    .action(async () => {
      const { listBusinesses } = await import('../commands/operator/businesses.ts')
      await listBusinesses()
    })

  businesses
    .command('set')
    .description(
      [
        'Change one setting: name, tier (free, growth, scale), time_zone (Europe/Paris),',
        'language (pt-BR), postal_address, sender (Name <hello@shop.example>), reply_to,',
        'sms_sender (+33700000001, a short code or a name), sms_help (what HELP is answered),',
        'track_opens and track_clicks (yes, no), deploy_limit (recipients up to which a campaign',
        'needs no approval, or none), two_people (yes: whoever deploys does not approve), colour',
        '(#1a5fb4). Its owners can set all of them but the tier in the app.',
      ].join(' '),
    )
    .argument('<id>', 'bus_…')
    .argument('<key>')
    .argument('<value>')
    .action(async (id: string, key: string, value: string) => {
      const { setBusiness } = await import('../commands/operator/businesses.ts')
      await setBusiness(id, key, value)
    })
}

function addUsers(users: Command): void {
  users
    .command('add')
    .description(
      'Add a person to a business without asking them, or give a member another role. Owners invite people in the app.',
    )
    .argument('<email>')
    .option('--business <id>', 'bus_…')
    .option('--role <role>', 'viewer, editor, admin or owner')
    .action(async (email: string, options: NewUser) => {
      const { addUser } = await import('../commands/operator/users.ts')
      await addUser(email, options)
    })
}

function addUserLists(users: Command): void {
  users
    .command('list')
    .description('List the users of this installation, oldest first.')
    .action(async () => {
      const { listUsers } = await import('../commands/operator/users.ts')
      await listUsers()
    })

  users
    .command('link')
    .description(
      'Print a sign-in link for a user whose mail does not arrive; it works for 10 minutes.',
    )
    .argument('<email>')
    .action(async (email: string) => {
      const { linkUser } = await import('../commands/operator/users.ts')
      await linkUser(email)
    })
}

function addConnections(connections: Command): void {
  connections
    .command('list')
    .description('List those that can still be used, newest first.')
    .action(async () => {
      const { listConnections } = await import('../commands/operator/connections.ts')
      await listConnections()
    })

  connections
    .command('revoke')
    .description('End one: its next call gets 401.')
    .argument('<id>', 'cnx_…')
    .option('--yes', 'do not ask')
    .action(async (id: string, options: { yes?: boolean }) => {
      const { revokeConnection } = await import('../commands/operator/connections.ts')
      await revokeConnection(id, options)
    })
}

function addDomains(domains: Command): void {
  domains
    .command('zone')
    .description('Print the records of DNS_ZONE, into which sender domains point.')
    .action(async () => {
      const { printZone } = await import('../commands/operator/domains.ts')
      await printZone()
    })

  domains
    .command('change-key')
    .description('Start changing the DKIM key of a verified domain.')
    .argument('<domain>')
    .action(async (domain: string) => {
      const { changeKey } = await import('../commands/operator/domains.ts')
      await changeKey(domain)
    })
}

function addJobs(jobs: Command): void {
  jobs
    .command('list')
    .description(
      'Count parked jobs by kind and fault; each line of the log at their time tells more.',
    )
    .action(async () => {
      const { listJobs } = await import('../commands/operator/jobs.ts')
      await listJobs()
    })

  jobs
    .command('release')
    .description('Have the parked jobs of a kind tried again.')
    .argument('<kind>', 'as crier jobs list names it')
    .action(async (kind: string) => {
      const { releaseJobs } = await import('../commands/operator/jobs.ts')
      await releaseJobs(kind)
    })
}

function addSecret(secret: Command): void {
  secret
    .command('rotate')
    .description(
      'Make a new one beside the one in force; nothing that is sealed or hashed changes.',
    )
    .action(async () => {
      const { rotateSecret } = await import('../commands/operator/secret.ts')
      await rotateSecret()
    })

  secret
    .command('finish')
    .description('End every other secret, once all nodes run with this one.')
    .action(async () => {
      const { finishSecret } = await import('../commands/operator/secret.ts')
      await finishSecret()
    })
}

function addClients(clients: Command): void {
  clients
    .command('allow')
    .description('Allow a redirect URI; a * at the end of its path matches the rest.')
    .argument('<uri>')
    .action(async (uri: string) => {
      const { allowClient } = await import('../commands/operator/clients.ts')
      await allowClient(uri)
    })

  clients
    .command('list')
    .description('List allowed redirect URIs and registered clients.')
    .action(async () => {
      const { listClients } = await import('../commands/operator/clients.ts')
      await listClients()
    })
}
