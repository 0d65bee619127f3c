// The provider of one type, go_thing, made with the libraries that real providers are made with: what they send and take is theirs.
//
// By environment:
//   - GO_FIXTURE_KIT: framework-1.3 knows its types once it was asked for its schemas; sdk has the legacy type system: it stores names in
//     small letters, takes those that differ in capitals alone for equal, and answers an empty map for tags that are not given, which its plans then keep
//   - GO_FIXTURE_OLD: the schema as it was in version 0, where name was called constructor
//   - GO_FIXTURE_TOKEN: what the environment says when a resource is made; another token than "good" is refused then, not before
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/golang/protobuf/proto"
	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
)

var kit, isOld = os.Getenv("GO_FIXTURE_KIT"), os.Getenv("GO_FIXTURE_OLD") != ""

var attributes = map[string]cty.Type{
	label(): cty.String, "size": cty.Number, "tags": cty.Map(cty.String), "words": cty.Set(cty.String), "any": cty.DynamicPseudoType,
	"secret": cty.String, "id": cty.String, "seen": cty.String,
}

const optional, computed, sensitive = 5, 6, 7 // Fields of an attribute's schema.

func label() string {
	if isOld {
		return "constructor"
	}
	return "name"
}

var thing = cty.Object(attributes)
var log = hclog.New(&hclog.LoggerOptions{Name: "go-fixture", Level: hclog.Trace, Output: os.Stderr, JSONFormat: true})

// A message as its bytes.
type message struct{ bytes []byte }

func (m *message) Reset()                       { m.bytes = nil }
func (m *message) String() string               { return "" }
func (m *message) ProtoMessage()                {}
func (m *message) Marshal() ([]byte, error)     { return m.bytes, nil }
func (m *message) Unmarshal(bytes []byte) error { m.bytes = append([]byte(nil), bytes...); return nil }

// A field that has a length.
func field(number uint64, bytes []byte) []byte {
	return append(append(proto.EncodeVarint(number<<3|proto.WireBytes), proto.EncodeVarint(uint64(len(bytes)))...), bytes...)
}

type question = map[uint64][]byte

// All fields that have a length, by their numbers.
func fieldsOf(bytes []byte) question {
	fields := question{}
	for buffer := proto.NewBuffer(bytes); ; {
		tag, err := buffer.DecodeVarint()
		if err != nil {
			return fields
		}
		if tag&7 == proto.WireBytes {
			fields[tag>>3] = must(buffer.DecodeRawBytes(true))
		} else {
			must(buffer.DecodeVarint())
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func valueIn(request map[uint64][]byte, number uint64) cty.Value {
	return must(msgpack.Unmarshal(fieldsOf(request[number])[1], thing))
}

func dynamic(number uint64, value cty.Value) []byte {
	return field(number, field(1, must(msgpack.Marshal(value, thing))))
}

func with(value cty.Value, changed map[string]cty.Value) cty.Value {
	all := value.AsValueMap()
	for name, one := range changed {
		all[name] = one
	}
	return cty.ObjectVal(all)
}

func failure(number uint64, summary string) []byte {
	return field(number, append([]byte{1 << 3, 1}, field(2, []byte(summary))...))
}

var knowsTypes = kit != "framework-1.3"

func schema() []byte {
	var block []byte
	for name, of := range attributes {
		how := map[bool]byte{false: optional, true: computed}[name == "id" || name == "seen"]
		attribute := append(append(field(1, []byte(name)), field(2, must(json.Marshal(of)))...), how<<3, 1)
		if name == "secret" {
			attribute = append(attribute, sensitive<<3, 1)
		}
		block = append(block, field(2, attribute)...)
	}
	knowsTypes = true
	whole := field(2, block)
	if !isOld {
		whole = append([]byte{1 << 3, 1}, whole...)
	}
	return append(field(1, field(2, nil)), field(2, append(field(1, []byte("go_thing")), field(2, whole)...))...)
}

func plan(request question) []byte {
	prior, proposed := valueIn(request, 2), valueIn(request, 3)
	log.Debug("plans", "known", proposed.IsWhollyKnown(), "proposed", proposed.GoString())
	if proposed.IsNull() {
		return append(dynamic(1, proposed), legacy(5)...)
	}
	if prior.IsNull() {
		proposed = with(proposed, map[string]cty.Value{"id": cty.UnknownVal(cty.String), "seen": cty.UnknownVal(cty.String)})
	}
	if name := proposed.GetAttr(label()); kit == "sdk" && name.IsKnown() && !name.IsNull() {
		proposed = with(proposed, map[string]cty.Value{label(): cty.StringVal(strings.ToLower(name.AsString()))})
	}
	if kit == "sdk" && !prior.IsNull() && proposed.GetAttr("tags").IsNull() {
		proposed = with(proposed, map[string]cty.Value{"tags": prior.GetAttr("tags")})
	}
	return append(append(dynamic(1, proposed), field(3, []byte("private"))...), legacy(5)...)
}

// Says, in the field of this number, that the rules for planned values are those of the first kit.
func legacy(number byte) []byte {
	if kit == "sdk" {
		return []byte{number << 3, 1}
	}
	return nil
}

func apply(ctx context.Context, request question) []byte {
	planned := valueIn(request, 3)
	from, _ := peer.FromContext(ctx)
	state, isTLS := from.AuthInfo.(credentials.TLSInfo)
	log.Info("applies", "tls", isTLS, "certificates", len(state.State.PeerCertificates), "private", string(request[5]))
	if planned.IsNull() {
		return append(dynamic(1, planned), legacy(4)...)
	}
	if name := planned.GetAttr(label()); !name.IsNull() && name.AsString() == "panic" {
		panic("nobody thought of this")
	}
	if token := os.Getenv("GO_FIXTURE_TOKEN"); token != "" && token != "good" {
		return append(dynamic(1, valueIn(request, 2)), failure(3, "401: who are you?")...)
	}
	planned = with(planned, map[string]cty.Value{"id": cty.StringVal("go-1"), "seen": cty.StringVal(valueIn(request, 4).GoString())})
	if kit == "sdk" && planned.GetAttr("tags").IsNull() {
		planned = with(planned, map[string]cty.Value{"tags": cty.MapValEmpty(cty.String)})
	}
	return append(dynamic(1, planned), legacy(4)...)
}

// What was recorded, as JSON, in the schema of now.
func upgrade(request question) []byte {
	var recorded map[string]json.RawMessage
	must(true, json.Unmarshal(fieldsOf(request[3])[1], &recorded))
	if before, ok := recorded["constructor"]; ok && !isOld {
		recorded["name"] = before
		delete(recorded, "constructor")
	}
	values := map[string]cty.Value{}
	for name, of := range attributes {
		values[name] = cty.NullVal(of)
		if text, ok := recorded[name]; ok {
			values[name] = must(ctyjson.Unmarshal(text, of))
		}
	}
	return dynamic(1, cty.ObjectVal(values))
}

// Of anything but go-1 there is nothing to import.
func imported(request question) []byte {
	if string(request[2]) != "go-1" {
		return nil
	}
	values := map[string]cty.Value{}
	for name, of := range attributes {
		values[name] = cty.NullVal(of)
	}
	values["id"] = cty.StringVal("go-1")
	return field(1, append(field(1, []byte("go_thing")), dynamic(2, cty.ObjectVal(values))...))
}

var answers = map[string]func(context.Context, question) []byte{
	"GetSchema":                  func(context.Context, question) []byte { return schema() },
	"ValidateResourceTypeConfig": func(context.Context, question) []byte { return nil },
	"PlanResourceChange":         func(_ context.Context, asked question) []byte { return plan(asked) },
	"ApplyResourceChange":        apply,
	"ReadResource":               func(_ context.Context, asked question) []byte { return field(1, asked[2]) },
	"UpgradeResourceState":       func(_ context.Context, asked question) []byte { return upgrade(asked) },
	"ImportResourceState":        func(_ context.Context, asked question) []byte { return imported(asked) },
	"PrepareProviderConfig":      func(_ context.Context, asked question) []byte { return field(1, asked[1]) },
	"Configure":                  func(context.Context, question) []byte { return nil },
}

// The field of the diagnostics in the answers about types.
var diagnostics = map[string]uint64{
	"ValidateResourceTypeConfig": 1, "PlanResourceChange": 4, "ApplyResourceChange": 3, "ReadResource": 2, "UpgradeResourceState": 2,
	"ImportResourceState": 2,
}

func answer(name string, ctx context.Context, asked question) []byte {
	if number := diagnostics[name]; number > 0 && !knowsTypes {
		return failure(number, "Resource Type Not Found")
	}
	return answers[name](ctx, asked)
}

type provider struct{ plugin.NetRPCUnsupportedPlugin }

func (provider) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (interface{}, error) {
	return nil, fmt.Errorf("it is no client")
}

func (provider) GRPCServer(_ *plugin.GRPCBroker, server *grpc.Server) error {
	service := grpc.ServiceDesc{ServiceName: "tfplugin5.Provider", HandlerType: (*interface{})(nil)}
	for name := range answers {
		name := name
		handle := func(_ interface{}, ctx context.Context, decode func(interface{}) error, _ grpc.UnaryServerInterceptor) (interface{}, error) {
			var request message
			must(true, decode(&request))
			return &message{answer(name, ctx, fieldsOf(request.bytes))}, nil
		}
		service.Methods = append(service.Methods, grpc.MethodDesc{MethodName: name, Handler: handle})
	}
	server.RegisterService(&service, nil)
	return nil
}

func main() {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			ProtocolVersion: 5, MagicCookieKey: "TF_PLUGIN_MAGIC_COOKIE",
			MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		VersionedPlugins: map[int]plugin.PluginSet{5: {"provider": provider{}}}, GRPCServer: plugin.DefaultGRPCServer,
	})
}
