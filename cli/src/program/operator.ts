/** The commands for people who run a server. They use its settings, and may run at the same time. */
import type { Command } from 'commander'
import type { NewBusiness } from '../commands/operator/businesses.ts'
import type { DistributeOptions } from '../commands/operator/distribute.ts'
import type { DoctorOptions } from '../commands/operator/doctor.ts'
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
    .description('Apply the pending migrations of the database; serve does this too.')
    .option('--plan', 'only print what they will do, and about how long they take here')
    .action(async (options: { plan?: boolean }) => {
      const { migrate } = await import('../commands/operator/migrate.ts')
      await migrate(options)
    })

  addDistribute(crier)
  crier
    .command('doctor')
    .description('Check settings, database, secret, port and mail, and report problems.')
    .option('--mail [to]', 'send to an address that bounces, and wait for the report')
    .option('--relay <name>', 'with --mail: one relay of the file RELAYS')
    .option('--wait <seconds>', 'with --mail: how long to wait (default: 300)')
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('../commands/operator/doctor.ts')
      process.exitCode = await doctor(options)
    })

  crier
    .command('demo')
    .description('Fill this installation with demo data, run it, and print where to sign in.')
    .option('--wipe', 'remove the demo data, and nothing else')
    .action(async (options: { wipe?: boolean }) => {
      const { demo } = await import('../commands/operator/demo.ts')
      await demo(options)
    })

  addBusinesses(crier.command('businesses').description('The businesses of this installation.'))
  crier
    .command('setup-link')
    .description('Print the link that creates the first user, as long as there is none.')
    .action(async () => {
      const { showSetupLink } = await import('../commands/operator/users.ts')
      await showSetupLink()
    })

  const users = crier.command('users').description('The users of this installation.')
  addUsers(users)
  addUserLists(users)
  addConnections(crier.command('connections').description('The connections of people to apps.'))
  addDomains(crier.command('domains').description('The sender domains of all businesses.'))
  addJobs(crier.command('jobs').description('Failed jobs that are no longer retried.'))
  addBackups(crier)
  addSecret(crier.command('secret').description("The installation's secret, which encrypts data."))
  addClients(crier.command('clients').description('The apps that are allowed to connect.'))
}

function addDistribute(crier: Command): void {
  crier
    .command('distribute')
    .description('Distribute the tables of businesses over the nodes of Citus.')
    .option('--plan', 'only print what is missing, and what will be done')
    .option('--shards <n>', 'the parts that Citus can move (default: 32)')
    .action(async (options: DistributeOptions) => {
      const { distribute } = await import('../commands/operator/distribute.ts')
      await distribute(options)
    })
}

function addBusinesses(businesses: Command): void {
  businesses
    .command('create')
    .description('Create a business and its owner.')
    .option('--name <name>', 'its name')
    .option('--owner <email>', "the owner's email address")
    .option('--tier <tier>', 'free, growth or scale (default: DEFAULT_TIER)')
    .option(
      '--deploy-limit <recipients>',
      'recipients a day without approval, or none (default: DEFAULT_DEPLOY_LIMIT)',
    )
    .action(async (options: NewBusiness) => {
      const { createBusiness } = await import('../commands/operator/businesses.ts')
      await createBusiness(options)
    })

  businesses
    .command('list')
    .description('List the businesses, oldest first.')
    .action(async () => {
      const { listBusinesses } = await import('../commands/operator/businesses.ts')
      await listBusinesses()
    })

  businesses
    .command('close')
    .description(
      'Stop all sending of a business, end its connections and keys, and delete it after 30 days.',
    )
    .argument('<id>', 'bus_…')
    .option('--keep-suppressions', 'keep the hashes of addresses that must not be written to')
    .action(async (id: string, options: { keepSuppressions?: boolean }) => {
      const { closeBusiness } = await import('../commands/operator/businesses.ts')
      await closeBusiness(id, options)
    })

  businesses
    .command('reopen')
    .description(
      'Take a closed business back before its deletion begins. Its sending stays stopped.',
    )
    .argument('<id>', 'bus_…')
    .action(async (id: string) => {
      const { reopenBusiness } = await import('../commands/operator/businesses.ts')
      await reopenBusiness(id)
    })

  businesses
    .command('export')
    .description(
      'Write everything of a business into a file that MOVE_PASSPHRASE seals, for another installation.',
    )
    .argument('<id>', 'bus_…')
    .argument('<file>')
    .action(async (id: string, file: string) => {
      const { exportBusiness } = await import('../commands/operator/businesses.ts')
      await exportBusiness(id, file)
    })

  businesses
    .command('import')
    .description('Take a business over from such a file. It arrives closed.')
    .argument('<file>')
    .option('--owner <email>', 'who owns it here, since members do not move')
    .action(async (file: string, options: { owner?: string }) => {
      const { importBusiness } = await import('../commands/operator/businesses.ts')
      await importBusiness(file, options)
    })

  businesses
    .command('place')
    .description('Give a business a shard of its own on a node of Citus, while it is used.')
    .argument('<id>', 'bus_…')
    .argument('<node>', 'host:port, as pg_dist_node has it')
    .action(async (id: string, node: string) => {
      const { placeBusiness } = await import('../commands/operator/distribute.ts')
      await placeBusiness(id, node)
    })

  businesses
    .command('closed')
    .description('List the businesses that were closed, with what was deleted.')
    .action(async () => {
      const { listClosings } = await import('../commands/operator/businesses.ts')
      await listClosings()
    })

  businesses
    .command('set')
    .description(
      [
        'Change one setting: name, tier (free, growth, scale), time_zone (Europe/Paris),',
        'language (pt-BR), postal_address, sender (Name <hello@shop.example>), reply_to,',
        'sms_sender (+33700000001, a short code or a name), sms_help (the answer to HELP),',
        'track_opens, track_clicks and track_transactional (yes, no), deploy_limit (the number of recipients above which',
        'a campaign needs approval, or none), two_people (yes: a second person must approve), colour',
        '(#1a5fb4), privacy_url (https://shop.example/privacy), tracking (everyone, agreed, nobody), attribution_days (1 to 90), attention (JSON, such as {"max":3,"per":"7 days"}), retention (JSON,',
        'such as {"messages":24}, in months), utm (JSON, such as {"source":"newsletter"}), archive (JSON,',
        'such as {"on":true,"title":"Letters"}), relay_transactional and relay_marketing (names of the',
        'file RELAYS, or default). Owners can set all of these except tier and relays in the app.',
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
      'Add a person to a business without an invitation, or change the role of a member. Owners invite people in the app.',
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

  users
    .command('factors')
    .description('Show which second factors a user has, or reset them for one who has lost all.')
    .argument('<email>')
    .option('--reset', 'remove them all and end their sessions; the user is told by mail')
    .option('--accept', 'let a new one count at once; ask the user in person first')
    .action(async (email: string, options: { reset?: boolean; accept?: boolean }) => {
      const { showFactors } = await import('../commands/operator/users.ts')
      await showFactors(email, options)
    })
}

function addConnections(connections: Command): void {
  connections
    .command('list')
    .description('List the active connections, newest first.')
    .action(async () => {
      const { listConnections } = await import('../commands/operator/connections.ts')
      await listConnections()
    })

  connections
    .command('revoke')
    .description('End a connection: its next call gets 401.')
    .argument('<id>', 'cnx_…')
    .option('--yes', 'do not ask for confirmation')
    .action(async (id: string, options: { yes?: boolean }) => {
      const { revokeConnection } = await import('../commands/operator/connections.ts')
      await revokeConnection(id, options)
    })
}

function addDomains(domains: Command): void {
  domains
    .command('zone')
    .description('Print the records of DNS_ZONE, which sender domains refer to.')
    .action(async () => {
      const { printZone } = await import('../commands/operator/domains.ts')
      await printZone()
    })

  domains
    .command('change-key')
    .description('Start the rotation of the DKIM key of a verified domain.')
    .argument('<domain>')
    .action(async (domain: string) => {
      const { changeKey } = await import('../commands/operator/domains.ts')
      await changeKey(domain)
    })

  addVolumes(domains.command('volume').description('What owners say a domain sent before.'))
}

function addJobs(jobs: Command): void {
  jobs
    .command('list')
    .description('Count dead jobs by kind and error; the log has the details.')
    .action(async () => {
      const { listJobs } = await import('../commands/operator/jobs.ts')
      await listJobs()
    })

  jobs
    .command('release')
    .description('Try the dead jobs of a kind again.')
    .argument('<kind>', 'the kind, as crier jobs list shows it')
    .action(async (kind: string) => {
      const { releaseJobs } = await import('../commands/operator/jobs.ts')
      await releaseJobs(kind)
    })
}

function addSecret(secret: Command): void {
  secret
    .command('rotate')
    .description(
      'Create a new secret in addition to the current one; encrypted and hashed data stays as it is.',
    )
    .action(async () => {
      const { rotateSecret } = await import('../commands/operator/secret.ts')
      await rotateSecret()
    })

  secret
    .command('finish')
    .description('Remove all other secrets, once all nodes run with this one.')
    .action(async () => {
      const { finishSecret } = await import('../commands/operator/secret.ts')
      await finishSecret()
    })
}

function addVolumes(volume: Command): void {
  volume
    .command('list')
    .description('List the statements that wait for an answer.')
    .action(async () => {
      const { listVolumes } = await import('../commands/operator/domains.ts')
      await listVolumes()
    })

  volume
    .command('approve')
    .description('Begin the warm-up of a domain at the day that matches what it sent.')
    .argument('<domain>')
    .option('--per-day <mails>', 'approve fewer mails a day than were stated')
    .action(async (domain: string, options: { perDay?: string }) => {
      const { approveVolume } = await import('../commands/operator/domains.ts')
      await approveVolume(domain, options)
    })

  volume
    .command('refuse')
    .description('Refuse a statement: the warm-up begins at the first day.')
    .argument('<domain>')
    .option('--answer <text>', 'why, to the owner')
    .action(async (domain: string, options: { answer?: string }) => {
      const { refuseVolume } = await import('../commands/operator/domains.ts')
      await refuseVolume(domain, options)
    })

  volume
    .command('withdraw')
    .description('Take an approval back: the warm-up goes on without the days that it skipped.')
    .argument('<domain>')
    .option('--answer <text>', 'why, to the owner')
    .action(async (domain: string, options: { answer?: string }) => {
      const { withdrawVolume } = await import('../commands/operator/domains.ts')
      await withdrawVolume(domain, options)
    })
}

function addClients(clients: Command): void {
  clients
    .command('allow')
    .description('Allow a redirect URI; a * at the end of its path matches any ending.')
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

  clients
    .command('disable')
    .description('Refuse a client, or all that use a redirect URI, and end their connections.')
    .argument('<client-or-uri>')
    .action(async (target: string) => {
      const { disableClients } = await import('../commands/operator/clients.ts')
      await disableClients(target)
    })

  clients
    .command('enable')
    .description('Let what was disabled connect again; people authorize it anew.')
    .argument('<client-or-uri>')
    .action(async (target: string) => {
      const { enableClients } = await import('../commands/operator/clients.ts')
      await enableClients(target)
    })

  clients
    .command('remove')
    .description('Remove a client or an allowed redirect URI for good, and end the connections.')
    .argument('<client-or-uri>')
    .action(async (target: string) => {
      const { removeClients } = await import('../commands/operator/clients.ts')
      await removeClients(target)
    })
}
