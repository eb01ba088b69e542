/** Features of Chromium that reach out by themselves, or past the proxy. */
const disabledFeatures = [
  'Translate', 'AcceptCHFrame', 'MediaRouter', 'DialMediaRouteProvider', 'OptimizationHints', 'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater', 'ProcessPerSiteUpToMainFrameThreshold', 'IsolateSandboxedIframes', 'NetworkTimeServiceQuerying',
]

/** What every browser is started with. */
const usual = [
  '--allow-pre-commit-input',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-hang-monitor',
  '--disable-prompt-on-repost',
  '--disable-quic',
  '--disable-renderer-backgrounding',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--dns-prefetch-disable',
  '--enable-automation',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--metrics-recording-only',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
  '--remote-debugging-pipe',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Windows that a page opens would be further pages without an owner; the shell refuses them before they exist.
  '--block-new-web-contents',
  // Contexts have proxies of their own; whatever is asked outside of them, and every name that is looked up, gets nowhere.
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  `--disable-features=${disabledFeatures.join(',')}`,
]

/** The arguments of a browser; `shell` is the headless shell, which knows another headless mode. */
export function browserFlags(shell: boolean, profile: string, sandbox: boolean): string[] {
  return [
    ...usual,
    shell ? '--headless' : '--headless=new',
    `--user-data-dir=${profile}`,
    ...(sandbox ? [] : ['--no-sandbox']),
  ]
}
