import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseProcfile } from '../../ops/up/procfile.ts'
import { operations } from '../../src/contract/index.ts'
import { readEnv, settings } from '../../src/platform/env.ts'
import { makeTestDir } from '../support/testDir.ts'
import { at, deployFiles, kubernetesObjects, readDeployFile, readYaml, type Tree } from '../support/deployFiles.ts'
import { readDockerfile, readEnvFile } from '../support/deployTexts.ts'

const kinds = parseProcfile(readFileSync('Procfile', 'utf8'), 'Procfile')
const settingNames = new Set(Object.values(settings).map(({ name }) => name))
/** Starts a line of the Procfile with a node that only tells what it was given. */
async function runLine(instance: string): Promise<{ stdout: string }> {
  const dir = await makeTestDir()
  await writeFile(join(dir, 'node'), '#!/bin/sh\nprintf %s "$*"\n', { mode: 0o755 })
  return promisify(execFile)('sh', ['ops/deploy/run.sh', instance], { env: { PATH: `${dir}:/usr/bin:/bin` } })
}

const podOf = (type: string): Tree | undefined => kubernetesObjects('Deployment').get(`quern-${type}`)?.['spec']?.['template']?.['spec']

describe('the deployment files', () => {
  test('are well-formed', () => {
    expect(deployFiles('.yaml').length).toBeGreaterThan(8)
    for (const name of deployFiles('.yaml')) expect(readYaml(name).length, name).toBeGreaterThan(0)
    for (const name of deployFiles('.json')) expect(() => JSON.parse(readDeployFile(name)) as unknown, name).not.toThrow()
  })

  test.for(kinds)('run $name as the Procfile does, everywhere', async ({ name, command }) => {
    expect(at(podOf(name), 'containers.0.args')).toEqual(['sh', 'ops/deploy/run.sh', name])
    expect(at(readYaml('compose.yaml')[0], `services.${name}.command`)).toEqual(['sh', 'ops/deploy/run.sh', name])
    const unit = readDeployFile(name === 'api' ? 'systemd/quern-api.service' : 'systemd/quern-worker@.service')
    expect(unit).toContain(`ExecStart=/bin/sh ops/deploy/run.sh ${name === 'api' ? 'api' : '%i'}\n`)
    for (const instance of [name, `${name}-2`]) expect((await runLine(instance)).stdout).toBe(command.replace('node ', ''))
  })

  test('refuse a process type that there is not, so that nothing starts it again and again', async () => {
    await expect(runLine('qwery')).rejects.toMatchObject({ code: 78, stderr: expect.stringContaining('api query browser export almanac') })
  })

  test('name only settings that exist, with values that they take', () => {
    const config = kubernetesObjects('ConfigMap').get('quern')?.['data'] as unknown as Record<string, string>
    const secret = kubernetesObjects('Secret').get('quern')?.['stringData'] as unknown as Record<string, string>
    const imageLines = readDockerfile('Dockerfile').filter(({ word }) => word === 'ENV')
    const image = imageLines.flatMap(({ rest }) => rest.match(/\b[A-Z_]+(?==)/g) ?? [])
    const units = deployFiles('.service').flatMap((name) => readDeployFile(name).match(/^Environment=.*$/gm) ?? [])
    const inUnits = units.flatMap((line) => line.replace('Environment=', '').split(' ').map((pair) => pair.split('=')[0] ?? ''))
    const example = readEnvFile('quern.env.example')
    const used = [config, secret, example].flatMap((values) => Object.keys(values)).concat(image, inUnits)
    expect(used.filter((name) => name !== 'NODE_ENV' && !settingNames.has(name))).toEqual([])
    const keys = { MASTER_KEY: 'k'.repeat(44), BOOTSTRAP_API_KEY: 'b'.repeat(48) }
    expect(readEnv({ ...config, ...secret, ...keys })).toMatchObject({ port: 1968, dataDir: '/data' })
    expect(() => readEnv({ ...example, ...keys })).not.toThrow()
  })
})

describe('the Kubernetes files', () => {
  test('are all listed, but for those that are applied by hand', () => {
    const listed = at(readYaml('kubernetes/kustomization.yaml')[0], 'resources') as string[]
    const there = deployFiles('.yaml').filter((name) => name.startsWith('kubernetes/')).map((name) => name.replace('kubernetes/', ''))
    expect(there.filter((name) => !listed.includes(name))).toEqual(['keda.yaml', 'kustomization.yaml', 'secret.example.yaml'])
    expect(listed.filter((name) => !there.includes(name))).toEqual([])
  })

  test.for(kinds.map(({ name }) => name))('give quern-%s time to drain, no rights, and a budget', (name) => {
    const pod = podOf(name)
    expect(at(pod, 'terminationGracePeriodSeconds')).toBeGreaterThan(30)
    expect(at(pod, 'securityContext.runAsNonRoot')).toBe(true)
    for (const container of ['initContainers.0', 'containers.0']) {
      const locked = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } }
      expect(at(pod, `${container}.securityContext`)).toEqual(locked)
      expect(at(pod, `${container}.envFrom`)).toEqual([{ configMapRef: { name: 'quern' } }, { secretRef: { name: 'quern' } }])
    }
    const labels = { 'app.kubernetes.io/name': `quern-${name}` }
    expect(at(kubernetesObjects('Deployment').get(`quern-${name}`), 'spec.template.metadata.labels')).toEqual(labels)
    expect(at(kubernetesObjects('PodDisruptionBudget').get(`quern-${name}`), 'spec.selector.matchLabels')).toEqual(labels)
  })

  test('probe routes that exist and need no key', () => {
    const container = podOf('api')?.['containers']?.[0]
    const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => String(at(container, `${probe}.httpGet.path`)))
    const open = Object.values(operations).filter(({ scope }) => scope === 'public').map(({ path }) => path as string)
    const [health, readiness] = [operations['system.health.read'].path, operations['system.readiness.read'].path]
    expect(probes).toEqual([health, readiness, health])
    expect(probes.filter((path) => !open.includes(path))).toEqual([])
    expect(readDeployFile('compose.yaml')).toContain(`http://127.0.0.1:1968${readiness}`)
  })

  test('scale what exists', () => {
    const deployments = kubernetesObjects('Deployment')
    const scaled = [...kubernetesObjects('ScaledObject').values(), ...kubernetesObjects('HorizontalPodAutoscaler').values()]
    const targets = scaled.map((scaler) => String(at(scaler, 'spec.scaleTargetRef.name')))
    expect(targets.toSorted()).toEqual(['quern-api', 'quern-browser', 'quern-export', 'quern-query'])
    // A fixed number would undo the scaler's at each apply.
    for (const name of targets) expect(at(deployments.get(name), 'spec.replicas'), name).toBeUndefined()
    expect(at(kubernetesObjects('Service').get('quern-api'), 'spec.selector')).toEqual({ 'app.kubernetes.io/name': 'quern-api' })
  })
})

describe('the image', () => {
  const instructions = readDockerfile('Dockerfile')
  const final = instructions.filter(({ stage }) => stage === 'runtime')

  test('is built in stages, runs as somebody without rights, and tells its health', () => {
    expect(instructions.filter(({ word }) => word === 'FROM').map(({ stage }) => stage)).toEqual(['build', 'runtime'])
    expect(instructions.filter(({ word }) => word === '')).toEqual([])
    expect(final.find(({ word }) => word === 'USER')?.rest).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    const words = final.map(({ word }) => word)
    expect(words.lastIndexOf('USER')).toBeGreaterThan(words.lastIndexOf('RUN'))
    expect(final.find(({ word }) => word === 'HEALTHCHECK')?.rest).toContain('CMD ["node", "dist/ops/deploy/probe.js"]')
    expect(JSON.parse(final.find(({ word }) => word === 'CMD')?.rest ?? '')).toEqual(['sh', 'ops/deploy/run.sh', 'api'])
  })

  test('copies what the checkout has, and runs tools that are built', () => {
    const copied = final.filter(({ word }) => word === 'COPY').flatMap(({ rest }) => rest.match(/(?<=\/app\/)\S+/g) ?? [])
    const needed = ['dist', 'node_modules', 'prisma/migrations', 'package.json', 'Procfile', 'ops/deploy/run.sh']
    expect(copied).toEqual(expect.arrayContaining(needed))
    for (const path of copied.filter((name) => name !== 'dist' && name !== 'node_modules')) expect(existsSync(path), path).toBe(true)
    for (const tool of ['migrate', 'probe']) expect(existsSync(`ops/deploy/${tool}.ts`), tool).toBe(true)
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['node_modules', '.data', '.git', '*.env']))
  })

  test('can be made for both platforms: the lock has the native parts of each', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, unknown> }
    for (const name of ['@node-rs/argon2-linux-{}-gnu', '@typescript/typescript-linux-{}']) {
      for (const platform of ['x64', 'arm64']) expect(Object.keys(packages)).toContain(`node_modules/${name.replace('{}', platform)}`)
    }
  })

  test('keeps the sandbox of Chromium working under its own profile', () => {
    const profile = JSON.parse(readDeployFile('seccomp.json')) as { syscalls: Array<{ names: string[]; action: string }> }
    const refused = profile.syscalls.filter(({ action }) => action === 'SCMP_ACT_ERRNO').flatMap(({ names }) => names)
    for (const call of ['clone', 'clone3', 'unshare', 'chroot', 'seccomp', 'prctl']) expect(refused).not.toContain(call)
    for (const call of ['mount', 'bpf', 'ptrace', 'setns', 'kexec_load', 'init_module']) expect(refused).toContain(call)
    expect(at(podOf('browser'), 'securityContext.seccompProfile')).toEqual({ type: 'Localhost', localhostProfile: 'quern/seccomp.json' })
    expect(at(readYaml('compose.yaml')[0], 'services.browser.security_opt')).toContain('seccomp=seccomp.json')
  })
})

describe('the pages for operators', () => {
  test.for(['deploy.md', 'upgrade.md', 'backup.md'])('%s leads to files that exist', (page) => {
    const text = readFileSync(`ops/docs/${page}`, 'utf8')
    const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link = '']) => link).filter((link) => !link.startsWith('http'))
    expect(links.length).toBeGreaterThan(1)
    for (const link of links) expect(existsSync(resolve('ops/docs', link)), link).toBe(true)
    const words = text.match(/`[A-Z][A-Z_]{3,}(?==|`)/g) ?? []
    const strangers = words.map((word) => word.slice(1).replace('`', '')).filter((name) => name.includes('_') && !settingNames.has(name))
    expect(strangers).toEqual([])
  })
})
