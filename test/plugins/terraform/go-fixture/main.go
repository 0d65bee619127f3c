// The provider of one type, go_thing, made with the libraries that real providers are made with: what they send and take is theirs.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/golang/protobuf/proto"
	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
)

var attributes = map[string]cty.Type{
	"name": cty.String, "size": cty.Number, "tags": cty.Map(cty.String), "words": cty.Set(cty.String), "any": cty.DynamicPseudoType,
	"id": cty.String, "seen": cty.String,
}

const optional, computed = 5, 6 // Fields of an attribute's schema.

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

func with(value, id, seen cty.Value) cty.Value {
	all := value.AsValueMap()
	all["id"], all["seen"] = id, seen
	return cty.ObjectVal(all)
}

func schema() []byte {
	var block []byte
	for name, of := range attributes {
		how := map[bool]byte{false: optional, true: computed}[name == "id" || name == "seen"]
		attribute := append(append(field(1, []byte(name)), field(2, must(json.Marshal(of)))...), how<<3, 1)
		block = append(block, field(2, attribute)...)
	}
	return append(field(1, field(2, nil)), field(2, append(field(1, []byte("go_thing")), field(2, field(2, block))...))...)
}

func plan(request question) []byte {
	prior, proposed := valueIn(request, 2), valueIn(request, 3)
	log.Debug("plans", "known", proposed.IsWhollyKnown(), "proposed", proposed.GoString())
	if prior.IsNull() {
		proposed = with(proposed, cty.UnknownVal(cty.String), cty.UnknownVal(cty.String))
	}
	return append(dynamic(1, proposed), field(3, []byte("private"))...)
}

func apply(ctx context.Context, request question) []byte {
	planned := valueIn(request, 3)
	from, _ := peer.FromContext(ctx)
	state, isTLS := from.AuthInfo.(credentials.TLSInfo)
	log.Info("applies", "tls", isTLS, "certificates", len(state.State.PeerCertificates), "private", string(request[5]))
	if !planned.IsNull() {
		planned = with(planned, cty.StringVal("go-1"), cty.StringVal(valueIn(request, 4).GoString()))
	}
	return dynamic(1, planned)
}

var answers = map[string]func(context.Context, question) []byte{
	"GetSchema":                  func(context.Context, question) []byte { return schema() },
	"ValidateResourceTypeConfig": func(context.Context, question) []byte { return nil },
	"PlanResourceChange":         func(_ context.Context, asked question) []byte { return plan(asked) },
	"ApplyResourceChange":        apply,
	"ReadResource":               func(_ context.Context, asked question) []byte { return field(1, asked[2]) },
}

type provider struct{ plugin.NetRPCUnsupportedPlugin }

func (provider) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (interface{}, error) {
	return nil, fmt.Errorf("it is no client")
}

func (provider) GRPCServer(_ *plugin.GRPCBroker, server *grpc.Server) error {
	service := grpc.ServiceDesc{ServiceName: "tfplugin5.Provider", HandlerType: (*interface{})(nil)}
	for name, answer := range answers {
		answer := answer
		handle := func(_ interface{}, ctx context.Context, decode func(interface{}) error, _ grpc.UnaryServerInterceptor) (interface{}, error) {
			var request message
			must(true, decode(&request))
			return &message{answer(ctx, fieldsOf(request.bytes))}, nil
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
