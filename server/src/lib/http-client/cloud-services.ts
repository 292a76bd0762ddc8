/**
 * The addresses at which clouds serve their virtual machines: metadata with credentials, agents,
 * name servers. Only a machine in that cloud reaches them, whatever the address looks like: Azure's
 * is public, others lie in ranges that an operator may have allowed. So they are refused on every
 * port, unless a rule of OUTBOUND_ALLOW names the very address.
 */
import ipaddr from 'ipaddr.js'

interface CloudService {
  address: string
  cloud: string
  /** Where the cloud, or cloud-init for it, documents the address. */
  source: string
}

const aws = 'https://docs.aws.amazon.com/'
const cloudInit = 'https://docs.cloud-init.io/en/latest/reference/datasources/'

export const cloudServices: readonly CloudService[] = [
  {
    address: '168.63.129.16',
    cloud: 'Azure (wire server, DNS, DHCP, health probes)',
    source: 'https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16',
  },
  {
    address: '169.254.169.254',
    cloud: 'AWS, Azure, Google, Oracle, OpenStack, DigitalOcean, Hetzner, Vultr, Akamai, IBM',
    source: `${aws}AWSEC2/latest/UserGuide/instancedata-data-retrieval.html`,
  },
  {
    address: 'fd00:ec2::254',
    cloud: 'AWS (EC2 metadata)',
    source: `${aws}AWSEC2/latest/UserGuide/instancedata-data-retrieval.html`,
  },
  {
    address: '169.254.170.2',
    cloud: 'AWS (ECS task metadata and credentials)',
    source: `${aws}AmazonECS/latest/developerguide/task-iam-roles.html`,
  },
  {
    address: '169.254.170.23',
    cloud: 'AWS (EKS Pod Identity)',
    source: `${aws}eks/latest/userguide/pod-id-agent-setup.html`,
  },
  {
    address: 'fd00:ec2::23',
    cloud: 'AWS (EKS Pod Identity)',
    source: `${aws}eks/latest/userguide/pod-id-agent-setup.html`,
  },
  {
    address: '169.254.169.253',
    cloud: 'AWS (DNS)',
    source: `${aws}vpc/latest/userguide/AmazonDNS-concepts.html`,
  },
  {
    address: 'fd00:ec2::253',
    cloud: 'AWS (DNS)',
    source: `${aws}vpc/latest/userguide/AmazonDNS-concepts.html`,
  },
  {
    address: 'fd20:ce::254',
    cloud: 'Google Compute Engine (metadata)',
    source: 'https://cloud.google.com/compute/docs/metadata/querying-metadata',
  },
  {
    address: '100.100.100.200',
    cloud: 'Alibaba Cloud (metadata)',
    source: 'https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata',
  },
  {
    address: 'fd00:c1::a9fe:a9fe',
    cloud: 'Oracle Cloud (metadata)',
    source: 'https://docs.oracle.com/iaas/Content/Compute/Tasks/gettingmetadata.htm',
  },
  {
    address: '192.0.0.192',
    cloud: 'Oracle Cloud at Customer (metadata)',
    source:
      'https://docs.oracle.com/en/cloud/cloud-at-customer/occ-get-started/retrieve-predefined-instance-metadata.html',
  },
  {
    address: 'fe80::a9fe:a9fe',
    cloud: 'OpenStack (metadata)',
    source: 'https://docs.openstack.org/nova/latest/user/metadata.html',
  },
  {
    address: '169.254.42.42',
    cloud: 'Scaleway (metadata)',
    source: `${cloudInit}scaleway.html`,
  },
  { address: 'fd00:42::42', cloud: 'Scaleway (metadata)', source: `${cloudInit}scaleway.html` },
  {
    address: 'fd00:a9fe:a9fe::1',
    cloud: 'Akamai, formerly Linode (metadata)',
    source: `${cloudInit}akamai.html`,
  },
]

const addresses = new Set(cloudServices.map(({ address }) => ipaddr.parse(address).toString()))

/** `ip` is IPv4 if it was IPv4 within IPv6. */
export function isCloudService(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return addresses.has(ip.toString())
}
