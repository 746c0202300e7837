{{- define "designwire.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* Labels of a part, with the context and the name of the part: (list . "serve"). */}}
{{- define "designwire.selector" -}}
app.kubernetes.io/name: designwire
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "designwire.labels" -}}
{{ include "designwire.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* What every pod has in common. */}}
{{- define "designwire.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{/* What every container has in common, with the context and the command: (list . "serve"). */}}
{{- define "designwire.container" -}}
{{- $context := index . 0 -}}
{{- with $context.Values -}}
name: {{ index $ 1 }}
image: {{ printf "%s:%s" .image.repository (.image.tag | default $context.Chart.AppVersion) }}
imagePullPolicy: {{ .image.pullPolicy }}
args: [{{ index $ 1 }}]
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}
{{- end -}}

{{- define "designwire.secret" -}}
{{- .Values.existingSecret | required "existingSecret: name a Secret with DATABASE_URL, DESIGNWIRE_MANAGE_KEY and DESIGNWIRE_ENCRYPTION_KEYS" -}}
{{- end -}}

{{/* What processes other than "serve" get of the Secret: not the management key, with which all data can be read. */}}
{{- define "designwire.secrets" -}}
{{- range list "DATABASE_URL" "DESIGNWIRE_ENCRYPTION_KEYS" }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: { name: {{ include "designwire.secret" $ }}, key: {{ . }} }
{{- end }}
{{- range list "DESIGNWIRE_LISTEN_URL" "DESIGNWIRE_NOTICE_URL" "DESIGNWIRE_WEBHOOK_PROXY" "OTEL_EXPORTER_OTLP_HEADERS" }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: { name: {{ include "designwire.secret" $ }}, key: {{ . }}, optional: true }
{{- end }}
{{- end -}}

{{/* The settings as environment variables. */}}
{{- define "designwire.settings" -}}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/*
Everything may be reached but the addresses at which clouds hand out the rights of a machine: webhooks go to hosts that
owners name. Pods and Services are named too, as some networks leave them out of address blocks.
*/}}
{{- define "designwire.egress" -}}
- to:
    - namespaceSelector: {}
    - ipBlock: { cidr: 0.0.0.0/0, except: [169.254.169.254/32] }
    - ipBlock: { cidr: "::/0", except: ["fd00:ec2::254/128"] }
{{- end -}}
